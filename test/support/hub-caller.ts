import type { IncomingMessage } from 'node:http';
import { hubRequest, readAnswer, sendHubRequest, type HubAnswer } from './hub-request.ts';
import { JSON_HANDSHAKE, RawWebSocket } from './raw-web-socket.ts';
import { until } from './until.ts';

/** What one caller does with a hub at `/hub`, request by request. */
export class HubCaller {
  readonly port: number;
  token: string;

  constructor(port: number, token = 'ann') {
    this.port = port;
    this.token = token;
  }

  request(method: string, path: string, body?: string | Uint8Array): Promise<HubAnswer> {
    const { port, token } = this;
    return hubRequest({ port, token, method, path, ...(body === undefined ? {} : { body }) });
  }

  /** A connection token. */
  async negotiate(): Promise<string> {
    const { text } = await this.request('POST', '/hub/negotiate?negotiateVersion=1');
    return (JSON.parse(text) as { readonly connectionToken: string }).connectionToken;
  }

  poll(id: string): Promise<HubAnswer> {
    return this.request('GET', `/hub?id=${id}&_=${Date.now()}`);
  }

  post(id: string, body: string | Uint8Array): Promise<HubAnswer> {
    return this.request('POST', `/hub?id=${id}`, body);
  }

  /** A hub message in JSON. */
  postMessage(id: string, message: object): Promise<HubAnswer> {
    return this.post(id, JSON.stringify(message) + '\u001e');
  }

  /** A polling connection whose handshake is through. Answers its id. */
  async openPolling(): Promise<string> {
    const id = await this.negotiate();
    await this.poll(id);
    await this.post(id, JSON_HANDSHAKE);
    await this.poll(id);
    return id;
  }

  /** An event stream whose handshake is through. */
  async openStream(): Promise<EventStream> {
    const stream = await EventStream.start(this, await this.negotiate());
    await this.post(stream.id, JSON_HANDSHAKE);
    await until('the handshake’s reply', () => stream.events.length > 0);
    return stream;
  }

  /** A WebSocket whose handshake is through. */
  openSocket(): Promise<RawWebSocket> {
    return RawWebSocket.open({ port: this.port, token: this.token });
  }
}

/** A client's half of server-sent events, without looking away: the text as it came, and what it means. */
export class EventStream {
  readonly id: string;
  readonly response: IncomingMessage;
  raw = '';
  isEnded = false;

  private constructor(id: string, response: IncomingMessage) {
    this.id = id;
    this.response = response;
    response.setEncoding('utf8').on('data', (text: string) => (this.raw += text));
    response.on('error', () => {}); // an end like any other; 'close' follows
    response.on('close', () => (this.isEnded = true));
  }

  static async start({ port, token }: HubCaller, id: string): Promise<EventStream> {
    const { response } = sendHubRequest({
      port,
      method: 'GET',
      path: `/hub?id=${id}&access_token=${token}`,
      token: null,
      headers: { accept: 'text/event-stream' },
    });
    const answered = await response;
    if (answered.statusCode === 200) return new EventStream(id, answered);
    throw new Error(`Refused with ${(await readAnswer(answered)).status}`);
  }

  /** The data of each event, the first comment aside. */
  get events(): readonly string[] {
    return this.raw
      .split('\r\n\r\n')
      .slice(0, -1)
      .map((event) => /^(?::\r\n)?data: (.*)$/s.exec(event)?.[1] ?? `no event: ${event}`);
  }

  /** Hub messages in JSON, the handshake's reply first. */
  get messages(): readonly Record<string, unknown>[] {
    const texts = this.events.join('').split('\u001e').slice(0, -1);
    return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
  }

  get closeMessage(): Record<string, unknown> | undefined {
    return this.messages.find(({ type }) => type === 7);
  }

  async ended(withinMs = 5_000): Promise<void> {
    await until('the stream ends', () => this.isEnded, withinMs);
  }

  /** Breaks it off. */
  close(): void {
    this.response.destroy();
  }
}
