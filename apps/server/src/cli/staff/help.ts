import type { Route } from '@tizara/contract/route'
import type * as v from 'valibot'
import { shellCommand } from '../../platform/runtime/release.ts'
import { callOf, fieldsOf, staffCalls } from './call.ts'

const INTRODUCTION = `${shellCommand('staff CALL')} [KEY=VALUE …]

  sign-in EMAIL       signs in with password and code; stores the session in a file that only you can read
  sign-out            ends the session
  confirm-people EMAIL EMAIL
                      confirms that two linked staff accounts belong to two people (needs the database)
  confirm-staff EMAIL …
                      lifts the suspension of staff after a restore without the access journal (needs the database)
  first-admin EMAIL   creates the first admin of a platform that never had staff (needs the database)
  help CALL           lists the arguments of a call

Calls
`

/** Lists the calls; with a name, the fields of that call. */
export function helpLines(name: string | undefined): string[] {
  if (name !== undefined) return argumentLines(name, callOf(name))
  const width = Math.max(...[...staffCalls.keys()].map((one) => one.length))
  return [...INTRODUCTION.split('\n').slice(0, -1), ...[...staffCalls].map(([one, route]) => `  ${one.padEnd(width)}  ${route.summary}`)]
}

function argumentLines(name: string, route: Route): string[] {
  const fields = [route.params, route.query, route.body].flatMap((schema) => Object.entries(fieldsOf(schema)))
  return [
    `${name}: ${route.summary}`,
    ...fields.map(([key, schema]) => `  ${key}=${kindOf(schema)}${isOptional(schema) ? '  (optional)' : ''}`),
  ]
}

const isOptional = (schema: v.GenericSchema) => schema.type === 'optional' || schema.type === 'nullish'

/** Describes a field by its choices or its type. */
function kindOf(schema: v.GenericSchema): string {
  if ('wrapped' in schema) return kindOf(schema.wrapped as v.GenericSchema)
  if ('options' in schema && (schema.options as unknown[]).every((one) => typeof one === 'string'))
    return (schema.options as string[]).join('|')
  if ('literal' in schema) return String(schema.literal)
  return schema.type === 'string' ? 'TEXT' : schema.type === 'boolean' ? 'true|false' : schema.type.endsWith('object') ? 'JSON' : 'VALUE'
}
