import { mount } from 'svelte';
import { defineRowlock } from '../shared/configure-rowlock';
import Approvals from './approvals.svelte';

const app = document.querySelector('#app');
if (app === null) throw new Error('There is no #app.');
await defineRowlock();
mount(Approvals, { target: app });
