/** Whether a boolean setting is on. Frameworks write `"false"` into attributes and properties alike, and mean it. */
export function isOn(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false && value !== 'false';
}
