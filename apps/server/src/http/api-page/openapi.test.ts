import { allRoutes } from '@tizara/contract/all-routes'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { groups } from './groups.ts'
import { type Operation, openApiDocument } from './openapi.ts'
import { apiPage } from './page.ts'

type Node = Record<string, unknown>

const isNode = (part: unknown): part is Node => typeof part === 'object' && part !== null

/** Returns every object of the document with its path. */
function walk(part: unknown, path: string[] = []): [string[], Node][] {
  if (!isNode(part)) return []
  return [[path, part], ...Object.entries(part).flatMap(([key, value]) => walk(value, [...path, key]))]
}

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(groups, 'House')))
const nodes = walk(document)
const at = (pointer: string) =>
  pointer
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>((part, step) => (isNode(part) ? part[step] : undefined), document)

describe('the OpenAPI document', () => {
  it('resolves all of its references', () => {
    const references = nodes.flatMap(([path, node]) =>
      typeof node['$ref'] === 'string' ? [{ path: path.join('/'), to: node['$ref'] }] : [],
    )
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter(({ to }) => !to.startsWith('#/components/schemas/') || !isNode(at(to)))).toEqual([])
  })

  it('has definitions only among the components, each used and validly named', () => {
    expect(nodes.filter(([, node]) => '$defs' in node).map(([path]) => path.join('/'))).toEqual([])
    const schemas = at('#/components/schemas')
    const names = Object.keys(isNode(schemas) ? schemas : {})
    const used = new Set(nodes.map(([, node]) => node['$ref']))
    for (const name of names) {
      expect(name).toMatch(/^[a-zA-Z0-9._-]+$/)
      expect(used).toContain(`#/components/schemas/${name}`)
    }
  })

  it('describes every call once: unique operation ids, declared path parameters, an answer for each', () => {
    const operations = nodes.filter(([path]) => path.length === 3 && path[0] === 'paths')
    expect(operations.length).toBe(allRoutes.length)
    expect(new Set(operations.map(([, node]) => node['operationId'])).size).toBe(allRoutes.length)
    for (const [path, operation] of operations) {
      const inPath = [...(path[1] ?? '').matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = (operation['parameters'] as { name: string; in: string; required: boolean }[]).filter((one) => one.in === 'path')
      expect(declared.map((one) => one.name).toSorted()).toEqual(inPath.toSorted())
      expect(declared.every((one) => one.required)).toBe(true)
      expect(Object.keys(operation['responses'] as object)).toContain('200')
    }
  })

  it('has every call in one group, with an example that fits its schemas', () => {
    expect(groups.flatMap(({ routes }) => routes.map(({ name }) => name)).toSorted()).toEqual(allRoutes.map(({ name }) => name).toSorted())
    const operations = new Map(nodes.map(([, node]) => [node['operationId'], node as unknown as Operation]))
    const faults = allRoutes.flatMap((route) => {
      const operation = operations.get(route.name)
      const body = Object.values(operation?.requestBody?.content ?? {})[0]?.example
      const example = Object.values(operation?.responses['200']?.content ?? {})[0]?.example
      const reply = route.bare === true ? example : isNode(example) ? example['data'] : undefined
      const read = [route.body === undefined ? undefined : v.safeParse(route.body, body), v.safeParse(route.reply, reply)]
      return read.flatMap((one) => one?.issues?.map((issue) => `${route.name} ${v.getDotPath(issue)}: ${issue.message}`) ?? [])
    })
    expect(faults).toEqual([])
  })
})

describe('API page', () => {
  const html = apiPage(groups, 'House <b>', { email: 'amara@example.com', password: '"quoted"' })

  it('shows each call with its response, errors and a form, without inline code', () => {
    for (const { name } of allRoutes) expect(html).toContain(`<details id="${name}">`)
    expect(html.match(/<h4>Try it<\/h4>/g)).toHaveLength(allRoutes.length)
    expect(html).toContain('House &lt;b>')
    expect(html).toContain('value="&quot;quoted&quot;"')
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|javascript:/)
  })

  it('lists the errors of each call that moves money, and their causes', () => {
    const call = html.slice(html.indexOf('<details id="buyToken">'), html.indexOf('<details id="buyTokenHistory">'))
    for (const text of [
      'Price has changed, please try again',
      'Insufficient balance',
      'the balance of the paying wallet is too low',
      'data-money="yes"',
    ])
      expect(call).toContain(text)
  })
})
