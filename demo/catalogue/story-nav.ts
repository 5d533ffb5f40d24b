import { html, nothing, type TemplateResult } from 'lit';
import { STORY_GROUPS, type Story } from './story.ts';

/** The stories by group, as links. `go` gets the story that a plain click means; other clicks are the browser's. */
export function storyNav(options: {
  readonly stories: readonly Story[];
  readonly current: Story;
  readonly hrefOf: (story: Story) => string;
  readonly go: (story: Story) => void;
}): TemplateResult {
  const { stories, current, hrefOf, go } = options;
  const followed = (event: MouseEvent, story: Story) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(story);
  };
  const groups = STORY_GROUPS.map((name) => ({ name, of: stories.filter(({ group }) => group === name) }));
  return html`<nav class="nav" aria-label="Stories">
    ${groups
      .filter(({ of }) => of.length > 0)
      .map(
        ({ name, of }) =>
          html`<p class="nav-group">${name}</p>
            <ul class="nav-list">
              ${of.map(
                (story) =>
                  html`<li>
                    <a
                      href=${hrefOf(story)}
                      aria-current=${story === current ? 'page' : nothing}
                      @click=${(event: MouseEvent) => followed(event, story)}
                      >${story.title}</a
                    >
                  </li>`,
              )}
            </ul>`,
      )}
  </nav>`;
}
