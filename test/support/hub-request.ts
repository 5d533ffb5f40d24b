import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface HubRequestOptions {
  readonly port: number;
  readonly method: string;
  /** With its query. */
  readonly path?: string;
  /** null = none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The caller writes the body, or breaks it off. */
  readonly isUnfinished?: boolean;
}

export interface HubAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** One HTTP request on a connection of its own, whose answer is read whole. */
export async function hubRequest(options: HubRequestOptions): Promise<HubAnswer> {
  const { response } = sendHubRequest(options);
  return readAnswer(await response);
}

/** The same, for tests that break it off, write the body by and by, or read an answer that has no end. */
export function sendHubRequest(options: HubRequestOptions): {
  readonly request: ClientRequest;
  readonly response: Promise<IncomingMessage>;
} {
  const { port, method, path = '/hub', token = 'ann', headers = {}, body, isUnfinished = false } = options;
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    agent: false,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
  });
  response.catch(() => {}); // whoever breaks a request off does not wait for its answer
  if (!isUnfinished) sent.end(body);
  else if (body !== undefined) sent.write(body);
  return { request: sent, response };
}

/** Rejects where the server broke off. */
export async function readAnswer(response: IncomingMessage): Promise<HubAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return { status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() };
}
