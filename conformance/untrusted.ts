/** An answer of the shape that is expected, of which nothing need be there. */
export type Untrusted<Answer> = Answer extends readonly (infer Item)[]
  ? readonly Untrusted<Item>[]
  : Answer extends object
    ? { readonly [Key in keyof Answer]?: Untrusted<Answer[Key]> | undefined }
    : Answer;
