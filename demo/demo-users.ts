import type { Principal } from '../core/index.ts';

/** The names under which the page asks for a token. */
export type DemoUserKey = 'anna' | 'ben' | 'driver-app';

export interface DemoUser {
  readonly key: DemoUserKey;
  readonly principal: Principal;
  /** Shown under the name. */
  readonly role: string;
}

const TENANT = 'nordfracht';

/** The people of this demo, and one program. Both the token desk and the mock know nobody else. */
export const DEMO_USERS: Readonly<Record<DemoUserKey, DemoUser>> = {
  anna: {
    key: 'anna',
    role: 'Dispatch manager',
    principal: {
      tenant: TENANT,
      oid: '5b0c6f8e-2c1d-4f0a-9d55-0a4be1f5a001',
      name: 'Anna Berger',
      kind: 'user',
    },
  },
  ben: {
    key: 'ben',
    role: 'Finance controller',
    principal: {
      tenant: TENANT,
      oid: '5b0c6f8e-2c1d-4f0a-9d55-0a4be1f5b002',
      name: 'Ben Okafor',
      kind: 'user',
    },
  },
  'driver-app': {
    key: 'driver-app',
    role: 'Automation',
    principal: {
      tenant: TENANT,
      oid: '5b0c6f8e-2c1d-4f0a-9d55-0a4be1f5d003',
      name: 'Driver app',
      kind: 'automation',
    },
  },
};

/** Whether the text names one of them. */
export function isDemoUserKey(key: unknown): key is DemoUserKey {
  return typeof key === 'string' && Object.hasOwn(DEMO_USERS, key);
}
