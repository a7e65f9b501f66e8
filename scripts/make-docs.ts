/**
 * `npm run docs:make`: generates documents from code: docs/settings.md from the declared settings, the schema of the settings
 * file, docs/staff-roles.md from the roles in the contract, docs/error-codes.md from the catalogue of errors, the attacks in
 * docs/security.md, and packages/languages/sources.json, the list of all texts. With `--check` it writes nothing and fails on a
 * stale document.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errorCatalogue } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { type RoleGroup, roleGroups } from '@tizara/contract/role-groups'
import { staffRoles } from '@tizara/contract/staff'
import { proposalRoles } from '@tizara/contract/staff-changes'
import { toJsonSchema } from '@valibot/to-json-schema'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { settingsFile } from '../apps/server/src/cli/settings-file/settings-file.ts'
import { DEVELOPMENT_SECRETS, SETTINGS } from '../apps/server/src/platform/config/environment.ts'
import { CAUSES } from '../apps/server/src/http/api-page/route-errors.ts'
import { REQUIRED } from '../apps/server/src/platform/config/production.ts'
import { withAttacks } from './attacks/index.ts'
import { allTexts } from './language-texts.ts'

const { values } = readArguments(import.meta.url, { check: { type: 'boolean', default: false } })
const HEAD = `# Settings

\`npm run docs:make\` generates this page from the settings that the code declares. Each setting is an environment variable or
a line of the settings file. The file is \`/etc/tizara/tizara.env\`, or the one named in \`TIZARA_SETTINGS\`. A process reads its
settings once, at its start.

- A command refuses a file with an unknown name or with the same name twice.
- Put a value that contains \`#\` in quotes: outside quotes, \`#\` starts a comment.
- A blank value counts as not set.
- A setting with a name in the column File can be read from a file: \`TOKEN_SECRET_FILE=/run/secrets/token\`.
- Production does not start without the settings marked as needed. The number is the minimum length.

| Setting | Default | File | Production | Means |
|---|---|---|---|---|
`

const developmentSecrets: readonly string[] = Object.values(DEVELOPMENT_SECRETS)

function settingsTable(): string {
  const rows = SETTINGS.map(({ name, byDefault, means, minLength, fromFile }) => {
    const shown =
      byDefault === undefined || byDefault === ''
        ? ''
        : developmentSecrets.includes(byDefault)
          ? 'a public development secret'
          : `\`${byDefault}\``
    const needs = [REQUIRED.has(name) ? 'needed' : '', minLength === undefined ? '' : `${minLength} characters`]
      .filter((word) => word !== '')
      .join(', ')
    return `| \`${name}\` | ${shown} | ${fromFile ? `\`${name}_FILE\`` : ''} | ${needs} | ${means} |`
  })
  return `${HEAD}${rows.join('\n')}\n`
}

const ROLES_HEAD = `# Roles of the staff

\`npm run docs:make\` generates this page from the contract, which the server checks on every call. The column Personal data says
how a call counts towards the limits for views of personal data ([staff.md](staff.md#limits-for-personal-data)).

## Calls

| Call | ${staffRoles.join(' | ')} | Personal data |
|---|${staffRoles.map(() => '---|').join('')}---|
`
const PROPOSALS_HEAD = `
## Proposals

| Subject | ${staffRoles.join(' | ')} |
|---|${staffRoles.map(() => '---|').join('')}
`

/** Marks the roles of a group, in the order of the columns. */
const marks = (group: RoleGroup): string =>
  staffRoles.map((role) => (roleGroups[group].some((one) => one === role) ? 'yes' : '')).join(' | ')

function rolesPage(): string {
  const calls = allRoutes
    .flatMap(({ access, name, role, personal = '' }) =>
      access === 'staff' && role !== undefined ? [`| \`${name}\` | ${marks(role)} | ${personal} |`] : [],
    )
    .toSorted()
  const subjects = Object.entries(proposalRoles)
    .map(([subject, role]) => `| \`${subject}\` | ${marks(role)} |`)
    .toSorted()
  return `${ROLES_HEAD}${calls.join('\n')}\n${PROPOSALS_HEAD}${subjects.join('\n')}\n`
}

const ERROR_CODES_HEAD = `# Error codes

\`npm run docs:make\` generates this page from the catalogue of errors. A refusal names its code in the header \`Error-Code\`. A code
and its words belong together, and a code never changes its meaning ([decision 0066](decisions/0066-error-codes.md)). If the words
contain values, \`Error-Values\` has them, form-encoded: \`minimum=10\`. Amounts are plain decimals. For \`INVALID_INPUT\`, the body's
\`errorMessages\` name each field. A call that the account's role does not allow is answered like an unknown address.

| Code | Status | Words | Cause |
|---|---|---|---|
`

function errorCodesPage(): string {
  const rows = Object.entries(errorCatalogue)
    .filter(([code]) => code !== 'STAFF_ONLY')
    .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} | ${CAUSES[code as ErrorCode] ?? ''} |`)
    .toSorted()
  return `${ERROR_CODES_HEAD}${rows.join('\n')}\n`
}

const generated = {
  'docs/error-codes.md': errorCodesPage(),
  'docs/staff-roles.md': rolesPage(),
  'docs/security.md': withAttacks(readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')),
  'docs/settings.md': settingsTable(),
  'docs/platform.schema.json': `${JSON.stringify(toJsonSchema(settingsFile, { typeMode: 'input', errorMode: 'ignore' }), null, 2)}\n`,
  'packages/languages/sources.json': `${JSON.stringify(allTexts(), null, 2)}\n`,
}
for (const [name, text] of Object.entries(generated)) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url))
  if (!values.check) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${name} does not match the code: run \`npm run docs:make\`.`)
    process.exitCode = 1
  }
}
