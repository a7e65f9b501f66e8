import { AppError } from '../../platform/runtime/app-error.ts'
import { shellCommand } from '../../platform/runtime/release.ts'
import { errorText } from '../../platform/runtime/error-text.ts'
import { callOf, makeCall, staffCalls } from './call.ts'
import { helpLines } from './help.ts'
import { printable, reportLines } from './print.ts'
import { BadUsage, CommandError } from './errors.ts'
import { type Platform, signIn, signOut } from './session.ts'

/** Result of a command: the exit code and the text to print. The code is 1 for a refusal and 2 for an invalid command line. */
export interface CommandResult {
  code: 0 | 1 | 2
  text: string
}

export async function runStaff(args: readonly string[], platform: Platform): Promise<CommandResult> {
  try {
    return { code: 0, text: (await linesOf(args, platform)).join('\n') }
  } catch (error) {
    const text = printable(errorText(error))
    if (error instanceof BadUsage) return { code: 2, text: `${text}\nRun ${shellCommand('staff help')} for usage.` }
    if (error instanceof CommandError || error instanceof AppError) return { code: 1, text }
    throw error
  }
}

/** Loaded on demand: only these commands open the database. */
const operatorCommands = () => import('./operator-commands.ts')

async function linesOf([name = 'help', ...args]: readonly string[], platform: Platform): Promise<string[]> {
  if (['help', '--help', '-h'].includes(name)) return helpLines(args[0])
  if (args.includes('--help')) return helpLines(staffCalls.has(name) ? name : undefined)
  if (name === 'sign-in') return signIn(platform, args[0])
  if (name === 'sign-out') return signOut(platform)
  if (name === 'first-admin') return (await operatorCommands()).appointFirstAdmin(args[0])
  if (name === 'confirm-people') return (await operatorCommands()).confirmPeople(args)
  if (name === 'confirm-staff') return (await operatorCommands()).confirmStaff(args)
  return reportLines(await makeCall(platform, callOf(name), args))
}
