import { parseUnits, type Units } from '@tizara/money'

/** The command line is not understood. */
export class BadUsage extends Error {}

/** The options of every command. */
export interface StaffOptions {
  reason?: string | undefined
  tx?: string | undefined
  name?: string | undefined
  phone?: string | undefined
  from?: string | undefined
  page?: string | undefined
  search?: string | undefined
}

/** An argument that has to be there. */
export function needed(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new BadUsage(`${name} is missing.`)
  return value.trim()
}

/** The reason, which every decision carries. */
export function neededReason(options: StaffOptions): string {
  const reason = needed(options.reason, '--reason TEXT')
  if (reason.length > 500) throw new BadUsage('--reason takes at most 500 characters.')
  return reason
}

/** An amount above 0 with at most 8 decimals. */
export function neededAmount(value: string | undefined, name: string): Units {
  const units = parseUnits(needed(value, name))
  if (units === null || units <= 0n) throw new BadUsage(`${name} takes an amount above 0, such as 12.5.`)
  return units
}

/** One of some words, in any case. */
export function neededWord<const Word extends string>(value: string | undefined, words: readonly Word[], name: string): Word {
  const typed = needed(value, name).toLowerCase()
  const word = words.find((one) => one.toLowerCase() === typed)
  if (word === undefined) throw new BadUsage(`${name} takes ${words.join(' or ')}.`)
  return word
}
