import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatLockTime } from '../../../components/lock-time.ts';

/** By the clock of whoever runs this. */
const todayAt = (hours: number, minutes: number): number => new Date().setHours(hours, minutes, 0, 0);
const plain = (text: string): string => text.replace(/\s/g, ' ');

describe('times (R31)', () => {
  it('are written as the language does', () => {
    const expected = { 'en-GB': '14:05', 'en-US': '2:05 PM', de: '14:05', fr: '14:05', 'ar-EG': '٢:٠٥ م' };
    for (const [language, text] of Object.entries(expected)) {
      assert.equal(plain(formatLockTime(todayAt(14, 5), language)), text, language);
    }
  });

  it('have their date on any other day, before and after', () => {
    const otherDay = Date.parse('2026-01-15T12:00:00');
    assert.match(formatLockTime(otherDay, 'en-GB'), /^15 Jan 2026, 12:00$/);
    assert.match(formatLockTime(otherDay, 'de'), /^15\.01\.2026, 12:00$/);
    const tomorrow = new Date(todayAt(0, 5)).setDate(new Date().getDate() + 1);
    assert.match(formatLockTime(tomorrow, 'en-GB'), /20\d\d, 00:05$/);
    assert.equal(formatLockTime(todayAt(23, 59), 'en-GB'), '23:59', 'today to its last minute');
  });

  it('fall back to the default where a language is none', () => {
    const byDefault = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(todayAt(14, 5));
    for (const strange of ['', 'not_a-language!', '-', 'de_DE']) {
      assert.equal(formatLockTime(todayAt(14, 5), strange), byDefault, strange);
    }
  });
});
