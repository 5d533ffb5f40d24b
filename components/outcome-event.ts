import type { EntityRef } from '../core/index.ts';
import type { LeaseState, LeaseView } from './client/index.ts';
import {
  LockAcquiredEvent,
  LockErrorEvent,
  LockHeldEvent,
  LockLostEvent,
  LockReleasedEvent,
  LockUnknownEvent,
  type LockEvent,
} from './lock-events.ts';
import { typedValues } from './typed-values.ts';

/** The event that announces a state to the application, null for those that only `lock-statechange` tells of. */
export function outcomeEvent(
  ref: EntityRef,
  state: LeaseState,
  view: LeaseView,
  form: { readonly body: Element; readonly wasOpen: boolean },
): LockEvent | null {
  switch (state) {
    case 'mine':
      return new LockAcquiredEvent(ref, { ...view, wasOpen: form.wasOpen });
    case 'held':
      return new LockHeldEvent(ref, view.lock);
    case 'lost':
      return new LockLostEvent(ref, view.lock, typedValues(form.body));
    case 'released':
      return new LockReleasedEvent(ref);
    case 'unknown':
      return new LockUnknownEvent(ref);
    case 'error':
      return new LockErrorEvent(ref, view.error ?? { code: '', message: '' });
    default:
      return null;
  }
}
