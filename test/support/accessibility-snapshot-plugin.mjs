// The `a11ySnapshot` command of @web/test-runner-commands over the DevTools protocol: the package's own plugin calls
// page.accessibility, which Playwright has removed.
import { PlaywrightLauncher } from '@web/test-runner-playwright';

/**
 * A node as assistive technology meets it; ignored nodes are left out, their children move up.
 *
 * @typedef {{ role: string, name: string, children?: AccessibilityNode[], [property: string]: unknown }} AccessibilityNode
 */
/**
 * @typedef {{ nodeId: string, ignored: boolean, backendDOMNodeId?: number, childIds?: string[],
 *   role?: { value?: string }, name?: { value?: string }, value?: { value?: unknown }, description?: { value?: unknown },
 *   properties?: Array<{ name: string, value: { value?: unknown } }> }} ProtocolNode
 */

/** @returns {import('@web/test-runner').TestRunnerPlugin} */
export function accessibilitySnapshotPlugin() {
  return {
    name: 'accessibility-snapshot',
    async executeCommand({ command, payload, session }) {
      if (command !== 'a11y-snapshot') return undefined;
      const { browser } = session;
      if (!(browser instanceof PlaywrightLauncher))
        throw new Error('a11ySnapshot needs the Playwright launcher');
      const page = browser.getPage(session.id);
      const protocol = await page.context().newCDPSession(page);
      try {
        return await snapshot(protocol, selectorOf(payload));
      } finally {
        await protocol.detach();
      }
    },
  };
}

/** @param {unknown} payload */
function selectorOf(payload) {
  return typeof payload === 'object' &&
    payload !== null &&
    'selector' in payload &&
    typeof payload.selector === 'string'
    ? payload.selector
    : undefined;
}

/**
 * @param {import('playwright-core').CDPSession} protocol
 * @param {string | undefined} selector
 */
async function snapshot(protocol, selector) {
  const { nodes } = /** @type {{ nodes: ProtocolNode[] }} */ (
    await protocol.send('Accessibility.getFullAXTree')
  );
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  if (selector === undefined) return convert(nodes[0], byId)[0];

  const { root } = await protocol.send('DOM.getDocument');
  const { nodeId } = await protocol.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  if (nodeId === 0) throw new Error(`a11ySnapshot: nothing matches ${selector}`);
  const { node } = await protocol.send('DOM.describeNode', { nodeId });
  const found = convert(
    nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === node.backendNodeId),
    byId,
  );
  // An element without a role of its own (a div) stands for what it contains.
  return found.length === 1 ? found[0] : { role: 'none', name: '', children: found };
}

/**
 * @param {ProtocolNode | undefined} node
 * @param {ReadonlyMap<string, ProtocolNode>} byId
 * @returns {AccessibilityNode[]}
 */
function convert(node, byId) {
  if (node === undefined) return [];
  const children = (node.childIds ?? []).flatMap((id) => convert(byId.get(id), byId));
  const role = node.role?.value ?? 'none';
  if (node.ignored) return children;
  // The pieces of a line of text; the StaticText above them has the whole.
  if (role === 'InlineTextBox') return [];
  return [
    {
      role,
      name: node.name?.value ?? '',
      ...(node.value === undefined ? {} : { value: node.value.value }),
      ...(node.description === undefined ? {} : { description: node.description.value }),
      ...Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value])),
      ...(children.length > 0 ? { children } : {}),
    },
  ];
}
