import type { Manner } from './scene.ts';

const told = (method: string, words: string) =>
  `An unexpected error occurred invoking '${method}' on the server. HubException: ${words}`;
const missing = (method: string) =>
  `Failed to invoke '${method}' due to an error on the server. HubException: Method does not exist.`;
/** By the alphabet: this client tells of each event on a thread of its own. */
const CAME_BACK = ['reconnected', 'reconnecting'];

/** What the program in `dotnet/client` sees, step by step, in its order. */
export const DOTNET_STEPS: Readonly<Record<string, (manner: Manner) => unknown>> = {
  connect: ({ protocol }) => {
    return { state: 'Connected', oid: 'anna', protocol, isSameId: true, isWelcome: true };
  },
  refused: () => 'Response status code does not indicate success: 401 (Unauthorized).',
  redirected: () => ({ oid: 'anna-elsewhere', node: 'elsewhere' }),
  'refused-by-an-answer': () => 'The client requested a non-integer protocol version.',

  invoke: () => ({ sum: 42, text: 'äöü €😀', list: [1, -1, 2 ** 40], null: null, anyCase: true }),
  'error-with-words': () => told('Fail', 'told to the caller'),
  'error-without-words': () => "An unexpected error occurred invoking 'Crash' on the server.",
  'error-arguments': () => "Failed to invoke 'Add' due to an error on the server.",
  'error-unknown-method': () => missing('NoSuchMethod'),
  'error-not-allowed': () => "Failed to invoke 'Forbidden' because user is unauthorized",
  'error-stream-called': () =>
    "The client attempted to invoke the streaming 'Count' method with a non-streaming invocation.",
  'error-upload-missing': () => told('Sum', 'Client sent 0 stream(s), Hub method expects 1.'),
  'error-call-streamed': () =>
    "The client attempted to invoke the non-streaming 'Echo' method with a streaming invocation.",
  'error-unknown-stream': () => missing('NoSuchMethod'),
  'error-no-stream': () =>
    "The value returned by the streaming method 'NoStream' is not a ChannelReader<> or IAsyncEnumerable<>.",
  'error-before-stream': () => told('FailBeforeStream', 'told to the caller'),
  'error-while-streaming': () => 'An error occurred on the server while streaming results.',
  'error-words-while-streaming': () =>
    'An error occurred on the server while streaming results. HubException: told to the caller',
  send: () => 'still there',
  'client-result': () => 'How many? 42',
  // This client has no types for the arguments of a method that it does not know.
  'client-without-handler': () => told('Ask', 'Client failed to parse argument(s).'),
  'client-without-result': () => told('Ask', "Client didn't provide a result."),
  'client-fails': () => told('Ask', 'no idea'),
  'broadcast-200': () => ({ here: true, there: true }),
  'broadcast-7': () => ({ here: true, there: true }),

  stream: () => ({ count: 100, isInOrder: true }),
  'stream-as-channel': () => [1, 2, 3],
  'stream-cancelled': () => ({ hasBegun: true, wasCancelled: true, onTheHub: 1 }),
  upload: () => 1_375,
  'upload-and-stream': () => Array.from({ length: 20 }, (_, index) => 2 * (index + 1)),
  'upload-fails': () =>
    told('Sum', "Stream errored by client: 'System.InvalidOperationException: the disk is full"),

  'reconnect-after-cut': () => ({ kinds: CAME_BACK, isNewId: true, heard: 'again' }),
  'closed-for-good': () => ({ kinds: ['closed'], words: null }),
  'closed-with-words': () => {
    return { kinds: ['closed'], words: 'The server closed the connection with the following error: boom' };
  },
  'asked-to-come-back': () => ({ kinds: CAME_BACK, echo: 'back' }),
  'token-runs-out': () => ({ kinds: CAME_BACK, echo: 'fresh' }),
  'too-big': () => ({ isWhole: true, kinds: CAME_BACK, echo: 'back' }),
  stop: () => ({ kinds: ['closed'], state: 'Disconnected' }),

  subscribe: () => 'Connected',
  'subscribe-wrongly': () => "Failed to invoke 'Subscribe' due to an error on the server.",
  'hear-acquired': () => ({
    entityType: 'ApprovalRequest',
    isSameUid: true,
    operation: 'Acquired',
    holderOid: 'anna',
    holderName: 'Anna Berger',
    isSameFence: true,
    isSameAt: true,
    isNow: true,
    hasTimeLeft: true,
  }),
  'hear-released': () => ({ operation: 'Released', holderOid: 'anna', isSameUid: true }),
  'hear-without-a-type': () => 'Acquired',
  // The trap of MessagePack: names that differ by case are no error, and nothing is read.
  'hear-without-keys': ({ protocol }) => ({ entityType: protocol === 'json' ? 'ApprovalRequest' : null }),
};
