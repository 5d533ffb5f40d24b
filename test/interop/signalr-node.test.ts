import * as signalR from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { describe } from 'node:test';
import { testSteps } from './signalr-suite/test-steps.ts';
import { runStep } from './signalr-suite/scene.ts';

describe('the vendor’s client in Node', () => {
  testSteps({
    kind: 'node',
    open: async ({ addresses, testProcess }) => ({
      run: (step, manner) =>
        runStep(step, {
          ...manner,
          kind: 'node',
          signalR,
          newMessagePack: () => new MessagePackHubProtocol(),
          hubs: addresses,
          testProcess,
        }),
      close: async () => {},
    }),
  });
});
