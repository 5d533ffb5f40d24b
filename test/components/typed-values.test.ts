import { expect, fixture, html } from '@open-wc/testing';
import { typedValues } from '../../components/typed-values.ts';

/** A form-associated element of an application. */
class RatingField extends HTMLElement {
  static readonly formAssociated = true;
  value = '4';
}
customElements.define('rating-field', RatingField);

describe('typedValues', () => {
  it('collects named fields of every kind; several of one name as an array', async () => {
    const form = await fixture<HTMLElement>(
      html`<form>
        <input name="title" value="A title" />
        <textarea name="text">Some text</textarea>
        <select name="state">
          <option value="open" selected>Open</option>
        </select>
        <select name="tags" multiple>
          <option selected>a</option>
          <option selected>b</option>
        </select>
        <input type="checkbox" name="flag" value="yes" checked /><input type="checkbox" name="other" />
        <input type="radio" name="size" value="s" /><input type="radio" name="size" value="m" checked />
        <input name="line" value="1" /><input name="line" value="2" />
        <rating-field name="rating"></rating-field>
        <div contenteditable="true" data-lock-name="notes">noted</div>
        <input value="nameless" />
      </form>`,
    );
    expect(typedValues(form)).to.deep.equal({
      title: 'A title',
      text: 'Some text',
      state: 'open',
      tags: ['a', 'b'],
      flag: 'yes',
      size: 'm',
      line: ['1', '2'],
      rating: '4',
      notes: 'noted',
    });
  });

  it('leaves out secrets, files, buttons, what is disabled, and what is marked private', async () => {
    const form = await fixture<HTMLElement>(
      html`<form>
        <input type="password" name="a" value="x" />
        <input type="text" autocomplete="current-password" name="b" value="x" />
        <input autocomplete="cc-number" name="c" value="x" />
        <input type="file" name="d" />
        <input type="hidden" name="e" value="token" />
        <input type="submit" name="f" value="x" /><button name="g" value="x">x</button>
        <input name="h" value="x" disabled />
        <fieldset disabled><input name="i" value="x" /></fieldset>
        <div data-lock-private><input name="j" value="x" /></div>
        <output name="k">x</output>
      </form>`,
    );
    expect(typedValues(form)).to.deep.equal({});
  });

  it('looks into open shadow trees and through slots', async () => {
    const host = await fixture<HTMLElement>(html`<div><input name="light" value="1" /></div>`);
    host.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot><input name="shadow" value="2">';
    expect(typedValues(host)).to.deep.equal({ light: '1', shadow: '2' });
  });
});
