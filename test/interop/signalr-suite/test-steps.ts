import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '../../support/until.ts';
import { ABILITIES, CHOICES } from './abilities.ts';
import { MANNERS } from './falling-back.ts';
import type { Manner, Step, World } from './scene.ts';
import { startSignalrHubs, type SignalrHubs } from './signalr-hubs.ts';

/** A place where the vendor's client runs. */
export interface OpenWorld {
  /** Answers what the step saw, as JSON. */
  run(step: Step, manner: Manner): Promise<string>;
  close(): Promise<void>;
}

export interface TestStepsOptions {
  readonly kind: World['kind'];
  /** Where pages are from. */
  readonly pageOrigin?: () => string;
  readonly open: (hubs: SignalrHubs) => Promise<OpenWorld>;
}

/**
 * Every ability over every transport in every protocol, and every choice in every protocol: one test each, in the
 * `describe` that it is called in.
 */
export function testSteps({ kind, pageOrigin, open }: TestStepsOptions): void {
  let hubs: SignalrHubs;
  let world: OpenWorld;
  before(async () => {
    hubs = await startSignalrHubs(pageOrigin?.());
    world = await open(hubs);
  });
  after(async () => {
    await world.close();
    await hubs.stop();
  });
  afterEach(() => until('no connection is left', () => hubs.openConnections === 0));

  const test = (step: Step, manner: Manner) =>
    it(step.name, async () => {
      const seen = await world.run(step, manner);
      // What JSON leaves out is left out on both sides.
      const expected = JSON.stringify(step.expected({ ...manner, kind }));
      assert.deepEqual(JSON.parse(seen), JSON.parse(expected));
    });
  for (const manner of MANNERS) {
    describe(`over ${manner.transport} in ${manner.protocol}`, () => {
      for (const step of ABILITIES) void test(step, manner);
    });
  }
  for (const protocol of ['json', 'messagepack'] as const) {
    describe(`of its own choice in ${protocol}`, () => {
      for (const step of CHOICES) void test(step, { transport: 'WebSockets', protocol });
    });
  }
}
