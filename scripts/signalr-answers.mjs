/**
 * What is decided before a page loads. SignalR asks at run time whether it is in Node, in React Native or in a browser
 * without fetch, and carries code for each; it writes log messages, which our client switches off (`LogLevel.None`).
 * Our client connects anew by itself, and neither streams nor resumes connections with a buffer of sent messages.
 *
 * @type {readonly (readonly [question: RegExp, answer: string])[]}
 */
export const ANSWERS = [
  [/\bPlatform\.(?:isNode|isReactNative|isWebWorker)\b/g, 'false'],
  [/\bPlatform\.isBrowser\b/g, 'true'],
  [/\btypeof (?:fetch|AbortController) === "undefined"/g, 'false'],
  [/^\s*(?:this\._)?logger\.log\(LogLevel\.\w+, .*\);$/gm, ''],
  // Checks of what a caller passes: our own calls are the only ones, and the same each time.
  [/^\s*Arg\.\w+\(.*\);$/gm, ''],
  [/\bthis\._httpClient\.getCookieString\(url\)/g, '""'],
  // Statistics for servers that ask for them; a page's browser names itself anyway.
  [/const \[name, value\] = getUserAgentHeader\(\);\s*headers\[name\] = value;/g, ''],
  // The JSON protocol is all text.
  [/\bisArrayBuffer\((?:data|content|request\.content)\)/g, 'false'],
  [/\btypeof \(?this\._buffer\[0\]\)? === "string"/g, 'true'],
  [/\btypeof logging === "string"/g, 'false'],
  [/\bnew ConsoleLogger\([\w.]+\)/g, 'NullLogger.instance'],
  [/\bthis\.connection\.features\.reconnect \|\| false/g, 'false'],
  [
    /\bif \((?:this\.features\.reconnect|useStatefulReconnect|this\._messageBuffer\b.*)\) \{$/gm,
    'if (false) {',
  ],
  [/ && this\._reconnectPolicy\) \{$/gm, ' && false) {'],
  [/^\s*this\._(?:reconnect\(error\)|launchStreams\(streams, promiseQueue\));$/gm, ''],
  [/\bthis\._replaceStreamingParams\(args\)/g, '[[], []]'],
  [/case HttpTransportType\.LongPolling:\s*return new LongPollingTransport\(.*\);/g, ''],
  // Only long polling keeps a connection alive by itself, and breaks off a request that is on its way.
  [/\bthis\.transport instanceof LongPollingTransport/g, 'false'],
  [/!this\.connection\.features \|\| !this\.connection\.features\.inherentKeepAlive/g, 'true'],
  [/\bthis\.connection\.features\.inherentKeepAlive/g, 'false'],
  [/\brequest\.abortSignal && request\.abortSignal\.aborted/g, 'false'],
  [/\bif \(request\.abortSignal\) \{$/gm, 'if (false) {'],
  // The JSON protocol is all text, in its first version: what a resumable connection would add never comes.
  [/\btransferFormat (?:===|!==) TransferFormat\.(?:Binary|Text)/g, 'false'],
  [/^\s*case MessageType\.(?:Ack|Sequence|StreamItem):\s*this\._is\w+\(parsedMessage\);\s*break;$/gm, ''],
  [/!this\.connection\.features\.reconnect\b/g, 'true'],
  [/^\s*this\.(?:connection\.)?features\.reconnect = .*;$/gm, ''],
  [/\bnegotiateResponse\.useStatefulReconnect && /g, 'false && '],
  [/\bsearchParams\.has\("useStatefulReconnect"\)/g, 'false'],
  [/\bthis\._options\._useStatefulReconnect === true/g, 'false'],
  [/\bif \((?:nonblocking|streamIds\.length !== 0)\) \{$/gm, 'if (false) {'],
  // Options that our client does not set, or sets right.
  [/\bthis\._options\.skipNegotiation/g, 'false'],
  [/\bthis\._isITransport\(requestedTransport\)/g, 'false'],
  [/\btypeof options\.withCredentials === "boolean" \|\| options\.withCredentials === undefined/g, 'true'],
  [/\bcreateLogger\(options\.logger\)/g, 'options.logger'],
  [/\b(?:serverTimeout|keepAliveInterval)InMilliseconds !== null && \w+ !== void 0/g, 'false'],
  [/^\s*this\._statefulReconnectBufferSize = statefulReconnectBufferSize !== null .*;$/gm, ''],
  [/\bif \(!request\.(?:method|url)\) \{$/gm, 'if (false) {'],
  [/\btypeof \(?this\._buffer\[0\]\)? !== typeof \(?data\)?/g, 'false'],
  // What a browser has, and does.
  [/\bgetGlobalThis\(\)(?! \{)/g, 'globalThis'],
  [/\bdeserializeContent\(response, (?:"text"|request\.responseType)\)/g, 'response.text()'],
  [/\btypeof ErrorEvent !== "undefined" && event instanceof ErrorEvent/g, 'false'],
  [/^\s*window\.document\.\w+EventListener\("freeze", this\._freezeEventListener\);$/gm, ''],
  [/^\s*(?:const trueProto = new\.target\.prototype|this\.__proto__ = trueProto);$/gm, ''],
  [/"\.\/DefaultHttpClient"/g, '"./FetchHttpClient"'],
  [/\bDefaultHttpClient\b(?=\(| \})/g, 'FetchHttpClient'],
  // Errors are told apart by nobody but HTTP's own; of their texts the first sentence says it.
  [/\bnew (?:Unsupported|Disabled|FailedTo|Aggregate|Abort)\w+\((?!\))/g, 'new Error('],
  [/\bnew TimeoutError\(\)/g, 'new Error("A timeout occurred.")'],
  [/("(?:WebSocket|EventSource) failed to connect\.)[^"]*"(?:\s*\+ "[^"]*")*/g, '$1"'],
  [/(an ASP\.NET SignalR Server\.) This client[^"]*"/g, '$1"'],
  [/\bHeaderNames\.(\w+)\b(?! =)/g, '"$1"'],
  [/^HeaderNames\.\w+ = ".*";$/gm, ''],
  [/\bTextMessageFormat\.RecordSeparator(?! =|Code)/g, '"\\u001e"'],
  [/^TextMessageFormat\.RecordSeparator\w* = .*;$/gm, ''],
];

/**
 * What nothing calls any more, or never did: methods survive tree shaking.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const UNUSED_METHODS = {
  HubConnection: [
    'state',
    'connectionId',
    'baseUrl',
    'stream',
    'send',
    'off',
    'onreconnecting',
    'onreconnected',
    '_reconnect',
    '_getNextRetryDelay',
    '_launchStreams',
    '_replaceStreamingParams',
    '_isObservable',
    '_createStreamInvocation',
    '_createCancelInvocation',
    '_createStreamItemMessage',
  ],
  JsonHubProtocol: ['_isAckMessage', '_isSequenceMessage', '_isStreamItemMessage'],
  TransportSendQueue: ['_concatBuffers'],
  FetchHttpClient: ['getCookieString'],
  AccessTokenHttpClient: ['getCookieString'],
  HttpClient: ['getCookieString', 'delete'],
  HubConnectionBuilder: [
    'withHubProtocol',
    'withAutomaticReconnect',
    'withServerTimeout',
    'withKeepAliveInterval',
    'withStatefulReconnect',
  ],
};
