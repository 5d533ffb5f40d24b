import { createApp } from 'vue';
import { defineRowlock } from '../shared/configure-rowlock';
import Approvals from './approvals.vue';

await defineRowlock();
createApp(Approvals).mount('#app');
