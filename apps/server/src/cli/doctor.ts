/**
 * `npm run doctor`: lists the problems of an installation, each with the command that fixes it. Changes nothing. `--json`
 * prints the list in the format of `GET /staff/health`; `--mail ADDRESS` sends a test mail. Exits with 0 if all findings are good,
 * with 1 for warnings, with 2 for errors that affect members.
 */
import { createMailer } from '../gateways/mailer/index.ts'
import type { Config } from '../platform/config/config.ts'
import { printable } from '../platform/config/printable.ts'
import { StartupError } from '../platform/runtime/startup-error.ts'
import { systemClock } from '../platform/runtime/clock.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { examine, reportOf } from '../diagnostics/examine.ts'
import { findingsFor, type Finding, check } from '../diagnostics/finding.ts'
import { readSettingsFindings } from '../diagnostics/settings.ts'
import { openConfigured } from '../main/open-database.ts'
import { createPorts } from '../main/ports.ts'
import { checkSchema } from '../platform/db/wait-for-schema.ts'

const STATE_LABEL = { good: 'OK     ', warning: 'WARNING', bad: 'ERROR  ' }
const { values } = commandLine('doctor')

async function findingsOf(config: Config): Promise<Finding[]> {
  const deps = createDeps(config)
  const ports = createPorts(config)
  const database = await openConfigured(config).catch((error: unknown) => {
    if (error instanceof StartupError) return error
    throw error
  })
  if (database instanceof StartupError) return [findingsFor('machine').bad(database.message, 'correct DATA_DIR')]
  try {
    return await examine(deps, database.db, ports, await checkSchema(database))
  } finally {
    await database.close()
  }
}

/** Sends a mail directly, without the outbox, so that its result can be reported. */
function sendMail(config: Config, to: string): Promise<Finding[]> {
  return check('mail', 'check the mail server', async () => {
    const text = `${config.publicUrl} sent this mail to test its mail server.`
    await createMailer(config).send({
      id: `doctor-${Date.now()}`,
      to,
      subject: `Test mail from ${config.brand.name}`,
      text,
      html: text,
      date: new Date(),
    })
    return [findingsFor('mail').good(`the mail server accepted a mail to ${to}`)]
  })
}

const { config, findings } = readSettingsFindings(process.env)
if (config !== undefined) {
  const found = await findingsOf(config)
  findings.push(...found.filter(({ area }) => area !== 'settings'))
  if (values.mail !== undefined) findings.push(...(await sendMail(config, values.mail)))
}
const report = reportOf(systemClock.now(), findings)
if (values.json) console.log(JSON.stringify(report))
else
  for (const { area, state, what, affects, since, fix } of findings) {
    const start = since instanceof Date ? `Since ${since.toISOString()}.` : ''
    const more = [[affects, start].filter(Boolean).join(' '), fix === undefined ? '' : `→ ${fix}`].filter((text) => text !== '')
    console.log(printable([`${STATE_LABEL[state]}  ${area.padEnd(11)}  ${what}`, ...more].join(`\n         ${' '.repeat(11)}  `)))
  }
process.exitCode = { good: 0, warning: 1, bad: 2 }[report.state]
