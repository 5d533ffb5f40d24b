#!/usr/bin/env node
// npx rowlock-conformance --api URL [--hub URL] --token T --other-token T --type TYPE …
import { parseArgs } from 'node:util';
import { formatResult, formatSummary } from './format-report.ts';
import { runConformance } from './run-conformance.ts';

const USAGE = `Checks a backend against what Rowlock's elements expect of one.

  rowlock-conformance --api URL --type TYPE --token T --other-token T [options]

  --api URL                 the lock API, such as https://app.example/api
  --type TYPE               an entity type that can be locked; records conformance-… of it are claimed and let go
  --token T                 a person's bearer token
  --other-token T           another person's, of the same tenant
  --hub URL                 the hub, such as https://app.example/hubs/entity-changes
  --other-type TYPE         another lockable type
  --other-tenant-token T    a person's of another tenant
  --automation-token T      a program's
  --write URL               a guarded route, with {uid} in the place of the uid
  --write-method METHOD     default PUT
  --write-body JSON         default {}
  --only TEXT               only the checks whose name contains it
  --strict                  what the backend lacks counts as a failure
  --json                    one JSON document instead of lines

Tokens can come from the environment instead (nobody sees them in a list of processes):
ROWLOCK_TOKEN, ROWLOCK_OTHER_TOKEN, ROWLOCK_OTHER_TENANT_TOKEN, ROWLOCK_AUTOMATION_TOKEN.
Exit code: 0 everything passed, 1 something failed, 2 it could not be run.`;

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      api: { type: 'string' },
      hub: { type: 'string' },
      type: { type: 'string' },
      'other-type': { type: 'string' },
      token: { type: 'string' },
      'other-token': { type: 'string' },
      'other-tenant-token': { type: 'string' },
      'automation-token': { type: 'string' },
      write: { type: 'string' },
      'write-method': { type: 'string' },
      'write-body': { type: 'string' },
      only: { type: 'string' },
      strict: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const { env } = process;
  const { api, type, json = false } = values;
  const user = values.token ?? env['ROWLOCK_TOKEN'];
  const other = values['other-token'] ?? env['ROWLOCK_OTHER_TOKEN'];
  if (api === undefined || type === undefined || user === undefined || other === undefined) {
    const given = { '--api': api, '--type': type, '--token': user, '--other-token': other };
    const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
    console.error(`Missing: ${missing.join(', ')}\n\n${USAGE}`);
    return 2;
  }
  const report = await runConformance({
    api: absolute('--api', api),
    hub: values.hub === undefined ? undefined : absolute('--hub', values.hub),
    entityType: type,
    otherType: values['other-type'],
    tokens: {
      user,
      other,
      otherTenant: values['other-tenant-token'] ?? env['ROWLOCK_OTHER_TENANT_TOKEN'],
      automation: values['automation-token'] ?? env['ROWLOCK_AUTOMATION_TOKEN'],
    },
    write:
      values.write === undefined
        ? undefined
        : {
            url: absolute('--write', values.write),
            method: values['write-method'],
            body: values['write-body'],
          },
    only: values.only,
    isStrict: values.strict,
    onResult: (result) => {
      if (!json) console.log(formatResult(result));
    },
  });
  console.log(json ? JSON.stringify(report, null, 2) : formatSummary(report));
  return report.results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

function absolute(name: string, url: string): string {
  if (!/^https?:\/\//.test(url))
    throw new Error(`${name}: expected an address that begins with http, got ${url}`);
  return url;
}
