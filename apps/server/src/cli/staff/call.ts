import { allRoutes } from '@tizara/contract/all-routes'
import type { Route } from '@tizara/contract/route'
import * as v from 'valibot'
import { BadUsage } from './errors.ts'
import { type Platform, type Reply, send } from './session.ts'

type Entries = Record<string, v.GenericSchema>
type Fields = Record<string, unknown>

/** Staff routes by command name: `approveRequest` becomes `approve-request`. */
export const staffCalls: ReadonlyMap<string, Route> = new Map(
  allRoutes
    .filter((route) => route.access === 'staff')
    .map((route) => [route.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^staff-/, ''), route]),
)

/**
 * Returns the route for a command.
 * @throws BadUsage
 */
export function callOf(name: string): Route {
  const route = staffCalls.get(name)
  if (route === undefined) throw new BadUsage(`Unknown call: ${name}.`)
  return route
}

/** Returns a schema's fields. For a variant schema it merges all forms' fields and every discriminator value. */
export function fieldsOf(schema: v.GenericSchema | undefined): Entries {
  if (schema === undefined) return {}
  if ('entries' in schema) return schema.entries as Entries
  if (!('options' in schema && 'key' in schema)) return {}
  const forms = (schema.options as v.GenericSchema[]).map(fieldsOf)
  const key = String(schema.key)
  const discriminators = forms.map((form) => (form[key] as v.LiteralSchema<string, undefined>).literal)
  return { ...Object.assign({}, ...forms), [key]: v.picklist(discriminators) } as Entries
}

/**
 * Sends a call with `key=value` arguments.
 * @throws BadUsage for an unknown key, or values that its schemas reject
 * @throws CommandError when the product refuses
 */
export async function makeCall(platform: Platform, route: Route, args: readonly string[]): Promise<Reply> {
  const input = readArguments(route, args)
  const only = (schema: v.GenericSchema | undefined): Fields =>
    Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(fieldsOf(schema), key)))
  const params = only(route.params)
  check(route.params, params)
  const query = only(route.query)
  check(route.query, query)
  const path = route.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString()
  const body = route.body === undefined ? undefined : toBody(route.body, only(route.body))
  return send(platform, {
    method: route.method,
    path: search === '' ? path : `${path}?${search}`,
    body,
    isForm: route.upload !== undefined,
    hasEffectOnce: route.money === true,
  })
}

function readArguments(route: Route, args: readonly string[]): Fields {
  const known = [route.params, route.query, route.body].flatMap((schema) => Object.keys(fieldsOf(schema)))
  return Object.fromEntries(
    args.map((arg) => {
      const at = arg.indexOf('=')
      const key = arg.slice(0, Math.max(at, 0))
      if (at < 1) throw new BadUsage(`${arg}: arguments have the form KEY=VALUE.`)
      if (!known.includes(key)) throw new BadUsage(`Unknown argument: ${key}. Known arguments: ${known.join(', ')}.`)
      return [key, arg.slice(at + 1)]
    }),
  )
}

/** Converts values for the body's schema: text stays text, other types are parsed as JSON. */
function toBody(schema: v.GenericSchema, texts: Fields): Fields {
  const values = { ...texts }
  const first = v.safeParse(schema, values)
  for (const issue of first.issues ?? []) {
    const key = issue.path?.[0]?.key
    if (typeof key === 'string' && typeof values[key] === 'string') values[key] = fromJson(values[key])
  }
  check(schema, values)
  return values
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function check(schema: v.GenericSchema | undefined, value: Fields): void {
  if (schema === undefined) return
  const read = v.safeParse(schema, value)
  if (!read.success) throw new BadUsage(read.issues.map(faultOf).join('; '))
}

function faultOf(issue: v.BaseIssue<unknown>): string {
  const at = v.getDotPath(issue) ?? 'arguments'
  return issue.received === 'undefined' ? `${at}= is missing` : `${at}: ${issue.message}`
}
