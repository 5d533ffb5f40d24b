import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { defineRowlock } from '../shared/configure-rowlock';
import { Approvals } from './approvals';

const app = document.querySelector('#app');
if (app === null) throw new Error('There is no #app.');
await defineRowlock();
createRoot(app).render(
  <StrictMode>
    <Approvals />
  </StrictMode>,
);
