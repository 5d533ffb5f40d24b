import 'rowlock/define';
import { configure } from 'rowlock';
import { recordOf, type GridUnderTest } from './grid-under-test.ts';
import { GridWitness, type GridPage } from './grid-witness.ts';

/** Shows a grid to its story. The page's address says with which token. */
export function openGrid(make: (place: HTMLElement) => GridUnderTest): void {
  configure({ getToken: () => new URLSearchParams(location.search).get('token') ?? '' });
  const place = document.querySelector<HTMLElement>('main') ?? document.body;
  const grid = make(place);
  const page: GridPage = { grid, witness: new GridWitness(grid), recordOf };
  Object.assign(globalThis, { page });
}
