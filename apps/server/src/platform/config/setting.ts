import * as v from 'valibot'

/** Properties of a setting except its values. */
interface About {
  /** Fewest characters in production: marks a secret, which may also come from a file. */
  minLength?: number
  /** True if `NAME_FILE` may name a file with the value; always true for a secret. */
  fromFile?: boolean
}

/**
 * Declares a setting of the environment.
 * @param means its effect, for the list of settings
 */
export const setting = <const S extends v.GenericSchema<string | undefined, unknown>>(means: string, schema: S, about: About = {}) =>
  v.pipe(schema, v.metadata({ means, ...about }))

export interface Setting {
  name: string
  /** As text; undefined when there is none. */
  byDefault: string | undefined
  means: string
  /** Minimum length in production; undefined for settings other than secrets. */
  minLength: number | undefined
  fromFile: boolean
}

/** The list of settings, in the order in which they are declared. */
export function settingsOf(entries: Readonly<Record<string, v.GenericSchema>>): Setting[] {
  return Object.entries(entries).map(([name, schema]) => {
    const metadata = v.getMetadata(schema)
    const byDefault: unknown = v.getDefault(schema)
    const minLength = typeof metadata['minLength'] === 'number' ? metadata['minLength'] : undefined
    return {
      name,
      byDefault: typeof byDefault === 'string' ? byDefault : undefined,
      means: String(metadata['means']),
      minLength,
      fromFile: minLength !== undefined || metadata['fromFile'] === true,
    }
  })
}

/**
 * The value of a setting without the white space around it; undefined when nothing else is left. Invisible characters
 * count as white space: they are as little of a secret as a blank.
 */
export function present(value: string | undefined): string | undefined {
  const trimmed = value?.replace(/^[\s\p{Cf}\p{Cc}]+|[\s\p{Cf}\p{Cc}]+$/gu, '')
  return trimmed === '' ? undefined : trimmed
}

/** Invalid settings. The product does not start with them. */
export class ConfigErrors extends Error {
  /** One sentence each, which begins with the setting's name. */
  readonly errors: readonly string[]

  constructor(head: string, errors: readonly string[]) {
    super(`${head}:\n${errors.map((error) => `  ${error}`).join('\n')}`)
    this.errors = errors
  }
}
