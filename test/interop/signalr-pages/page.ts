import type { IHubProtocol } from '@microsoft/signalr';
import { stepNamed } from '../signalr-suite/abilities.ts';
import { runStep, type HubAddresses, type Manner, type SignalR } from '../signalr-suite/scene.ts';
import type { AskedOf } from '../signalr-suite/scene.ts';

/** What the vendor's two scripts leave on the page. */
type VendorScripts = SignalR & {
  readonly protocols: { readonly msgpack: { readonly MessagePackHubProtocol: new () => IHubProtocol } };
};

declare global {
  interface Window {
    readonly signalR: VendorScripts;
    /** The test's process. */
    readonly tokenOf: (oid: string, livesS?: number) => Promise<string>;
    readonly requestsOf: (part: string) => Promise<readonly AskedOf[]>;
    /** For the test's process. Answers what the step saw, as JSON. */
    runStep: (name: string, manner: Manner, hubs: HubAddresses) => Promise<string>;
  }
}

window.runStep = (name, manner, hubs) =>
  runStep(stepNamed(name), {
    ...manner,
    kind: 'chromium',
    signalR: window.signalR,
    newMessagePack: () => new window.signalR.protocols.msgpack.MessagePackHubProtocol(),
    hubs,
    testProcess: { token: window.tokenOf, requests: window.requestsOf },
  });
