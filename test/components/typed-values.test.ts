import { expect, fixture, html } from '@open-wc/testing';
import { typedValues } from '../../components/typed-values.ts';

/** A form-associated element of an application. */
class RatingField extends HTMLElement {
  static readonly formAssociated = true;
  value = '4';
}
customElements.define('rating-field', RatingField);

/** One that tells its form what it holds, and has no text to read. */
class TagsField extends HTMLElement {
  static readonly formAssociated = true;
  readonly #internals = this.attachInternals();

  connectedCallback(): void {
    const data = new FormData();
    for (const tag of ['a', 'b']) data.append('chips', tag);
    this.#internals.setFormValue(data);
  }
}
customElements.define('tags-field', TagsField);

/** A switch: what it stands for is its value, whether it is on or not. */
class SwitchField extends HTMLElement {
  static readonly formAssociated = true;
  value = 'on';
  checked = false;
}
customElements.define('switch-field', SwitchField);

describe('typedValues', () => {
  it('collects named fields of every kind; several of one name as an array (F16)', async () => {
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

  it('asks the form where a custom element has no text of its own (F16)', async () => {
    const form = await fixture<HTMLElement>(html`<form><tags-field name="chips"></tags-field></form>`);
    expect(typedValues(form)).to.deep.equal({ chips: ['a', 'b'] });
  });

  it('takes a switch of the application’s own as it takes a box (F16)', async () => {
    const form = await fixture<HTMLElement>(
      html`<form>
        <switch-field name="off"></switch-field><switch-field name="on" .checked=${true}></switch-field>
      </form>`,
    );
    expect(typedValues(form)).to.deep.equal({ on: 'on' });
  });

  it('takes lists and numbers, and nothing that is no text', async () => {
    const form = await fixture<HTMLElement>(
      html`<div>
        <rating-field name="list" .value=${['x', 'y']}></rating-field>
        <rating-field name="number" .value=${4}></rating-field>
        <rating-field name="none" .value=${null}></rating-field>
      </div>`,
    );
    expect(typedValues(form)).to.deep.equal({ list: ['x', 'y'], number: '4' });
  });

  it('leaves out what is private in a shadow tree, and everything in it', async () => {
    const host = await fixture<HTMLElement>(html`<div></div>`);
    host.attachShadow({ mode: 'open' }).innerHTML =
      '<div data-lock-private><input name="a" value="x"></div><input name="b" type="password" value="x">' +
      '<input name="c" value="seen">';
    expect(typedValues(host)).to.deep.equal({ c: 'seen' });
  });
});
