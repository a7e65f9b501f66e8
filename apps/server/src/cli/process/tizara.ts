/**
 * `tizara COMMAND …`: runs any command of a release archive (tools/release/release.mjs). It first reads the settings file: the one in
 * TIZARA_SETTINGS, otherwise /etc/tizara/tizara.env if it exists. Environment variables take precedence.
 */
import { commandLine } from '../command-line.mjs'
import { VERSION } from '../../platform/runtime/release.ts'
import { loadSettingsFile } from '../../platform/config/settings-file.ts'
import { errorText } from '../../platform/runtime/error-text.ts'

interface Command {
  does: string
  run: () => Promise<unknown>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  api: { does: 'runs the API and the web app; run as many as you need', run: () => import('../../main/api.ts') },
  worker: { does: 'runs jobs: rewards, mails, payments; run as many as you need', run: () => import('../../main/worker.ts') },
  migrate: { does: "brings the database to this version's schema; needs the database's owner", run: () => import('../migrate.ts') },
  setup: { does: 'sets up a platform: first admin, prices, offers, pool', run: () => import('../setup.ts') },
  settings: { does: '`export` or `import FILE`: prices, offers and limits', run: () => import('../settings.ts') },
  languages: { does: '`check`: checks the languages of the product and of the data folder', run: () => import('../languages.ts') },
  import: { does: '`check`, `propose`, `approve`, `status`: members and balances of another platform', run: () => import('../import.ts') },
  staff: { does: 'runs staff calls; `tizara staff help` lists them', run: () => import('../staff.ts') },
  rewards: { does: 'pays a reward day, or calculates it with --dry-run', run: () => import('../rewards.ts') },
  figures: { does: '`rebuild`: writes the business figures of all past days again', run: () => import('../figures.ts') },
  accounts: { does: '`export`, `chart`: journal of a closed month for accounting', run: () => import('../accounts.ts') },
  programme: { does: '`max-gain`: the most that a group can gain in 30 days; `simulate FILE`', run: () => import('../programme.ts') },
  payments: { does: '`doctor`, `reconcile`: checks; `rescan`, `adopt`: recovers missed transactions', run: () => import('../payments.ts') },
  audit: { does: 'audits every balance; exits with 0 only when all checks pass', run: () => import('../ledger-audit.ts') },
  screening: { does: 'checks a list of names and addresses, and puts it in force with two admins', run: () => import('../screening.ts') },
  'verify-export': { does: 'verifies an exported audit log', run: () => import('../verify-export.ts') },
  'verify-proof': { does: 'verifies proofs of balances that members downloaded', run: () => import('../verify-proof.ts') },
  ready: { does: 'waits until the API is ready', run: () => import('../ready.ts') },
  backup: { does: 'writes the whole database into a file', run: () => import('../backup.ts') },
  restore: { does: 'restores a backup into an empty database, and checks it', run: () => import('../restore.ts') },
  secrets: { does: 'prints new secrets as lines of the settings file', run: () => import('../secrets.ts') },
  doctor: { does: 'lists problems with the commands that fix them; exits with 0 if there are none', run: () => import('../doctor.ts') },
  version: { does: 'prints the version', run: () => Promise.resolve(console.log(VERSION)) },
}

/** Commands that read no settings. */
const WITHOUT_SETTINGS: ReadonlySet<string> = new Set(['version', 'secrets', 'verify-proof'])

function usage(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  return ['tizara COMMAND …', '', ...Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`)].join('\n')
}

// `tizara help backup` equals `tizara backup --help`.
if (['help', '--help'].includes(process.argv[2] ?? '') && process.argv[3] !== undefined)
  process.argv.splice(2, 2, process.argv[3], '--help')
const name = process.argv[2] ?? 'help'
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command === undefined) {
  const isHelp = ['help', '--help', '-h'].includes(name)
  if (isHelp) console.log(usage())
  else console.error(`Unknown command: ${name}.\n\n${usage()}`)
  process.exitCode = isHelp ? 0 : 2
} else {
  // The command reads its arguments as if started directly.
  process.argv.splice(2, 1)
  commandLine({ audit: 'ledger-audit' }[name] ?? name)
  try {
    if (!WITHOUT_SETTINGS.has(name) && !process.argv.includes('--help')) loadSettingsFile(process.env)
  } catch (error) {
    await end(error, 2)
  }
  await command.run().catch((error: unknown) => end(error, 1))
}

/** Long-running processes write everything to the log, also the reason of their end. */
async function end(error: unknown, code: number): Promise<never> {
  const { startupErrorText } = await import('../../main/service.ts')
  const why = startupErrorText(error) ?? errorText(error)
  if (name === 'api' || name === 'worker') (await import('../../platform/runtime/log.ts')).createLog('info').fatal(why)
  else console.error(why)
  process.exit(code)
}
