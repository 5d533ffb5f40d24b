import type { ApprovalRequest } from './approval-request.ts';
import { changeText } from './change-text.ts';
import { refusalText } from './refusal-text.ts';
import { RequestRefused, type RequestClient } from './request-client.ts';
import {
  draftOf,
  editOf,
  rebaseDraft,
  typedFields,
  type DraftField,
  type RequestDraft,
} from './request-draft.ts';

export type DeskAction = 'save' | 'approve' | 'reject';

const DONE: Readonly<Record<DeskAction, string>> = {
  save: 'Saved',
  approve: 'Approved',
  reject: 'Rejected',
};

/** The request in the form: as last read, and as typed. */
export interface OpenRequest {
  readonly base: ApprovalRequest;
  readonly draft: RequestDraft;
}

/**
 * One person's desk: the rows, the open request with what was typed into it, and the writes. Knows nothing of DOM and
 * locks; the fence comes with each write. Nothing typed is lost: not by a refused write, not by somebody else's change,
 * not by opening another row.
 */
export class DeskModel {
  readonly #client: RequestClient;
  readonly #listeners = new Set<() => void>();
  readonly #rows = new Map<string, ApprovalRequest>();
  readonly #open = new Map<string, OpenRequest>();
  /** Orders answers: what a later question brought is not undone by the answer to an earlier one. */
  readonly #seen = new Map<string, number>();
  #questions = 0;
  #selectedId: string | null = null;
  #busy: DeskAction | null = null;
  #alert = '';
  #notice = '';
  #invalidField: string | null = null;
  #listState: 'loading' | 'ready' | 'failed' = 'loading';

  constructor(client: RequestClient) {
    this.#client = client;
  }

  get rows(): readonly ApprovalRequest[] {
    return [...this.#rows.values()];
  }
  get listState(): 'loading' | 'ready' | 'failed' {
    return this.#listState;
  }
  get selectedId(): string | null {
    return this.#selectedId;
  }
  get open(): OpenRequest | null {
    return (this.#selectedId !== null && this.#open.get(this.#selectedId)) || null;
  }
  get busy(): DeskAction | null {
    return this.#busy;
  }
  /** Why the last write failed; `""` = it did not. */
  get alert(): string {
    return this.#alert;
  }
  /** What else there is to know. */
  get notice(): string {
    return this.#notice;
  }
  get invalidField(): string | null {
    return this.#invalidField;
  }

  /** Hears of every change of the model. Returns its own unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads all rows again. `keepOpen` leaves the form alone, as nothing may change under the fingers of a person who
   * types, but for a decision: that ends the editing. Never rejects.
   */
  async refresh({ keepOpen = false }: { readonly keepOpen?: boolean } = {}): Promise<void> {
    const question = ++this.#questions;
    try {
      for (const row of await this.#client.list()) {
        const isKept = keepOpen && row.id === this.#selectedId && row.status === 'open';
        if (isKept) this.#rows.set(row.id, row);
        else this.#take(row, question);
      }
      this.#listState = 'ready';
    } catch {
      // Rows that are shown stay; only a list that never came is worth a word.
      if (this.#listState === 'loading') this.#listState = 'failed';
    }
    this.#changed();
  }

  /** Opens a row, with what was typed into it before. */
  select(id: string | null): void {
    if (id === this.#selectedId) return;
    this.#selectedId = id;
    this.#say('', '');
    const row = id === null ? undefined : this.#rows.get(id);
    const open = this.open;
    if (open === null && row !== undefined) this.#open.set(row.id, { base: row, draft: draftOf(row) });
    if (open !== null && typedFields(open.draft, open.base).length > 0) {
      this.#say('', 'What you typed here before is back. It is not saved yet.');
    }
    this.#changed();
  }

  /** Reads the open request again. Rejects where that fails: the form must not open on an old state. */
  async reload(): Promise<void> {
    const id = this.#selectedId;
    if (id === null) return;
    const question = ++this.#questions;
    try {
      this.#take(await this.#client.get(id), question);
    } catch (error) {
      if (id === this.#selectedId) this.#say(`Not loaded: ${messageOf(error)}`, '');
      throw error;
    } finally {
      this.#changed();
    }
  }

  type(field: DraftField, text: string): void {
    const open = this.open;
    if (open === null) return;
    this.#open.set(open.base.id, { ...open, draft: { ...open.draft, [field]: text } });
    this.#invalidField = null;
    this.#changed();
  }

  /** Back to the request as last read. */
  discard(): void {
    const open = this.open;
    if (open === null) return;
    this.#open.set(open.base.id, { ...open, draft: draftOf(open.base) });
    this.#say('', '');
    this.#changed();
  }

  /**
   * Saves, approves or rejects the open request; a decision first saves what was typed, so that what was seen is what
   * is decided. While one write is on its way, others are ignored. Never rejects: answers `done`, or the code of what
   * came in the way (`""` = nothing was sent).
   */
  async write(action: DeskAction, fence: number | undefined): Promise<string> {
    const open = this.open;
    if (open === null || this.#busy !== null || open.base.status !== 'open') return '';
    const { base, draft } = open;
    this.#busy = action;
    this.#say('', '');
    this.#changed();
    try {
      if (action === 'save' || typedFields(draft, base).length > 0) {
        const edit = editOf(draft);
        this.#written(await this.#client.save(base.id, edit, { fence, version: base.version }), draft);
      }
      if (action !== 'save') this.#written(await this.#client.decide(base.id, action, { fence }), draft);
      if (base.id === this.#selectedId) this.#say('', `${DONE[action]}.`);
      return 'done';
    } catch (error) {
      this.#refused(base.id, action, error);
      return error instanceof RequestRefused ? error.code : 'failed';
    } finally {
      this.#busy = null;
      this.#changed();
    }
  }

  #refused(id: string, action: DeskAction, error: unknown): void {
    const request = error instanceof RequestRefused ? error.request : null;
    if (request !== null) this.#take(request, ++this.#questions);
    if (id !== this.#selectedId) return;
    this.#say(refusalText(`Not ${DONE[action].toLowerCase()}`, error), this.#notice);
    this.#invalidField = error instanceof RequestRefused ? error.field : null;
  }

  /** The answer to an own write. What was typed while it was on its way stays typed. */
  #written(fresh: ApprovalRequest, sent: RequestDraft): void {
    const open = this.#open.get(fresh.id);
    const draft: Record<DraftField, string> = { ...draftOf(fresh) };
    for (const [field, text] of Object.entries(open?.draft ?? {}) as [DraftField, string][]) {
      if (text !== sent[field]) draft[field] = text;
    }
    this.#seen.set(fresh.id, ++this.#questions);
    this.#rows.set(fresh.id, fresh);
    this.#open.set(fresh.id, { base: fresh, draft });
  }

  #take(fresh: ApprovalRequest, question: number): void {
    if (question < (this.#seen.get(fresh.id) ?? 0)) return;
    this.#seen.set(fresh.id, question);
    this.#rows.set(fresh.id, fresh);
    const open = this.#open.get(fresh.id);
    if (open === undefined) {
      if (fresh.id === this.#selectedId) this.#open.set(fresh.id, { base: fresh, draft: draftOf(fresh) });
      return;
    }
    if (open.base.version === fresh.version) return;
    const { draft, clashes } = rebaseDraft(open.draft, open.base, fresh);
    this.#open.set(fresh.id, { base: fresh, draft });
    if (fresh.id === this.#selectedId) {
      this.#notice = changeText(open.base, fresh, clashes) ?? this.#notice;
    }
  }

  #say(alert: string, notice: string): void {
    this.#alert = alert;
    this.#notice = notice;
    this.#invalidField = null;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
