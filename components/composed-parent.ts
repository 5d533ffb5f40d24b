/**
 * The next node up in what is drawn: from a slotted node to its slot, from a shadow root to its host. `closest()`
 * stops where a grid slots its cells; this does not. Closed shadow roots above a slotted node are passed over.
 */
export function composedParent(node: Node): Node | null {
  if (node instanceof ShadowRoot) return node.host;
  return (node instanceof Element && node.assignedSlot) || node.parentNode;
}

/** Whether `node` is `ancestor` or drawn inside it. */
export function isInside(node: Node | null, ancestor: Node): boolean {
  while (node !== null && node !== ancestor) node = composedParent(node);
  return node !== null;
}
