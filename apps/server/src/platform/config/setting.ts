import * as v from 'valibot'

/** Properties of a setting except its values. */
interface About {
  /** Minimum length in production. A setting with this property is a secret and may come from a file. */
  minLength?: number
  /** True if `NAME_FILE` may name a file with the value. Always true for a secret. */
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
  /** Default as text; undefined without a default. */
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
 * Returns a setting's value without surrounding white space; undefined if the rest is empty. Invisible characters count as white space,
 * because an operator cannot see that the setting has such a value.
 */
export function present(value: string | undefined): string | undefined {
  const trimmed = value?.replace(/^[\s\p{Cf}\p{Cc}]+|[\s\p{Cf}\p{Cc}]+$/gu, '')
  return trimmed === '' ? undefined : trimmed
}

/** Invalid settings. The product does not start with them. */
export class ConfigErrors extends Error {
  /** Errors, one sentence each, that begin with the setting's name. */
  readonly errors: readonly string[]

  constructor(head: string, errors: readonly string[]) {
    super(`${head}:\n${errors.map((error) => `  ${error}`).join('\n')}`)
    this.errors = errors
  }
}
