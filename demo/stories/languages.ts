import { html } from 'lit';
import { registerMessages } from '../../components/index.ts';
import { es } from '../../components/locales/es.ts';
import { fr } from '../../components/locales/fr.ts';
import type { Story, StoryStage } from '../catalogue/story.ts';
import { annasForm, guardHtml } from './guarded-form.ts';
import { OWN_WORDS, pseudoMessages } from './own-words.ts';
import { ARABIC } from './right-to-left-words.ts';
import { orderIn } from './sample-languages.ts';
import { benLetsGo, benTakesOver } from './story-actions.ts';

const benHolds = (stage: StoryStage) => stage.hold('ben', stage.ref());
const common = { group: 'Languages', actions: [benLetsGo, benTakesOver] } as const;

/** The languages that come with the package. */
export const languageChoice: Story = {
  ...common,
  id: 'language-choice',
  title: 'English, German, French, Spanish',
  about:
    'An element takes the language of the nearest lang around it. Change it: what is shown follows at once, times included. English and German come with the elements, French and Spanish are a module each.',
  controls: [
    {
      kind: 'choice',
      name: 'lang',
      label: 'lang',
      options: ['de', 'en', 'en-US', 'fr', 'es'],
      initial: 'de',
    },
  ],
  begin: (stage) => {
    registerMessages('fr', fr);
    registerMessages('es', es);
    return benHolds(stage);
  },
  render: (stage, { lang }) => {
    const language = String(lang);
    return html`<div lang=${language}>${annasForm(stage, orderIn(language))}</div>`;
  },
  source: ({ lang }) => {
    const language = String(lang);
    const script = /fr|es/.test(language) ? `<script src="locales/${language}.js"></script>\n` : '';
    return `${script}${guardHtml(orderIn(language), { lang: language })}`;
  },
};

/** Arabic. */
export const languageRightToLeft: Story = {
  ...common,
  id: 'language-right-to-left',
  title: 'From right to left',
  about:
    'With dir="rtl" around it, the banner’s sign, text and buttons change sides by themselves. The texts are a table that this story registers for Arabic; Ben’s Latin name is kept apart from the direction of the sentence.',
  controls: [{ kind: 'choice', name: 'dir', label: 'dir', options: ['rtl', 'ltr'], initial: 'rtl' }],
  begin: (stage) => {
    registerMessages('ar', ARABIC);
    return benHolds(stage);
  },
  render: (stage, { dir }) =>
    html`<div lang="ar" dir=${dir === 'rtl' ? 'rtl' : 'ltr'}>${annasForm(stage, orderIn('ar'))}</div>`,
  source: ({ dir }) => `<script>
  Rowlock.registerMessages('ar', {
    held: '${ARABIC.held}',
    since: '${ARABIC.since}',
    language: 'ar',
  });
</script>
${guardHtml(orderIn('ar'), { lang: 'ar', dir: String(dir) })}`,
};

/** The application's own words. */
export const languageOwnWords: Story = {
  ...common,
  id: 'language-own-words',
  title: 'Words of your own',
  about:
    'registerMessages replaces single texts, here "record" by "order", for one language or a variety of it. The pseudo-locale has every text in brackets and a third longer: what stays plain English in it is not translatable. Press Take over for the question.',
  controls: [
    {
      kind: 'choice',
      name: 'words',
      label: 'Words',
      options: ['own', 'pseudo-locale', 'as delivered'],
      initial: 'own',
    },
  ],
  begin: (stage) => {
    registerMessages('en-x-own', OWN_WORDS);
    registerMessages('en-x-pseudo', pseudoMessages());
    return benHolds(stage);
  },
  render: (stage, { words }) => {
    const language = words === 'own' ? 'en-x-own' : words === 'pseudo-locale' ? 'en-x-pseudo' : 'en';
    return html`<div lang=${language}>${annasForm(stage, orderIn('en'))}</div>`;
  },
  source: () => `<script>
  Rowlock.registerMessages('en', {
    held: '${OWN_WORDS.held}',
    lost: '${OWN_WORDS.lost}',
    takeOverText: '${OWN_WORDS.takeOverText}',
  });
</script>
${guardHtml(orderIn('en'))}`,
};
