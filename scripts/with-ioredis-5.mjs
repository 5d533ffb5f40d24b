// `node --import ./scripts/with-ioredis-5.mjs …`: whoever imports ioredis gets its former major version, which is in the
// range of our peers too. For the tests alone.
import { register } from 'node:module';

const hooks = `
  export function resolve(specifier, context, next) {
    return next(specifier === 'ioredis' ? 'ioredis-5' : specifier, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
