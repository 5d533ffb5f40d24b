import { createContext } from '@lit/context';
import type { LockClient } from './client/index.ts';

/** The client that elements speak through. The key is shared by every copy of the script on a page. */
export const clientContext = createContext<LockClient, symbol>(Symbol.for('rowlock.client'));
