import { type NameUse, type Named, namesInCode, namesInSql } from './names.ts'
import type { SqlFolder } from '../../apps/server/src/platform/db/schema-files.ts'

/** Forbidden access: a file that uses a table, view or function of another folder. */
interface Break {
  file: string
  name: string
  why: string
}

/** Checked file: its path below apps/server/src, and its text. */
export interface Source {
  file: string
  text: string
}

interface OwnedObject {
  owner: SqlFolder
  kind: 'table' | 'view' | 'function'
  published: boolean
}

/** Reads the owner of each table, view and function from the folders' SQL files. */
function readOwners(folders: SqlFolder[]): Map<string, OwnedObject> {
  const owners = new Map<string, OwnedObject>()
  for (const folder of folders) {
    const text = folder.files.map((file) => file.text).join('\n')
    const published = new Set([...text.matchAll(/^-- published: (.*)$/gm)].flatMap(([, names]) => (names ?? '').split(/,\s*/)))
    for (const [, kind = '', name = ''] of text.matchAll(/^create (?:or replace )?(table|view|function|aggregate) (\w+)/gm)) {
      if (owners.has(name)) throw new Error(`${name} belongs to ${owners.get(name)?.owner.folder} and to ${folder.folder}`)
      const owned = kind === 'aggregate' ? 'function' : (kind as OwnedObject['kind'])
      owners.set(name, { owner: folder, kind: owned, published: owned !== 'table' || published.delete(name) })
    }
    if (published.size > 0) throw new Error(`${folder.folder} publishes ${[...published].join(', ')}, which is no table of it`)
  }
  return owners
}

/** Minimum counts of tables and names. With fewer, the tool did not read all files. */
const MIN_COUNTS = { tables: 50, named: 900 }

/** Findings, and the numbers of checked tables and names. The numbers prove that the tool has read the files. */
export interface Findings {
  breaks: Break[]
  tables: number
  named: number
}

/**
 * Checks the folders' table access, like the import rules for code. A folder may use nothing of a higher tier or of a sibling. From lower
 * tiers a folder may use functions, views and published tables. A folder may write only to its own tables.
 */
export function findBreaks(folders: SqlFolder[], sources: Source[]): Findings {
  const owners = readOwners(folders)
  const breaks = new Map<string, Break>()
  let named = 0
  for (const { file, text } of sources) {
    const owner = folders.find(({ folder }) => file.startsWith(`${folder}/`))
    for (const { name, how } of file.endsWith('.sql') ? namesInSql(text) : namesInCode(text)) {
      const owned = owners.get(name)
      if (owned === undefined || (owned.kind === 'function') !== (how === 'call')) continue
      named += 1
      const why = whyNot(file, owner, owned, how)
      if (why !== undefined) breaks.set(`${file} ${name}`, { file, name, why })
    }
  }
  return { breaks: [...breaks.values()], tables: [...owners.values()].filter(({ kind }) => kind === 'table').length, named }
}

function whyNot(file: string, owner: SqlFolder | undefined, owned: OwnedObject, how: Named['how']): string | undefined {
  if (owner === owned.owner) return undefined
  if (owner === undefined) return 'belongs to no folder'
  if (how === 'write') return 'writes a table of another folder'
  if (owned.owner.tier > owner.tier) return 'is of a higher tier'
  if (owned.owner.tier === owner.tier) return 'is a sibling'
  return owned.published || mayReadAll(file, how) ? undefined : 'is not published'
}

/** Returns true for foreign keys and for files of the audit. The audit reads all tables, to stay independent of the modules' code. */
const mayReadAll = (file: string, how: NameUse): boolean => how === 'refer' || /\/audit-(checks|paid|liabilities)\.ts$/.test(file)

/** Returns the failures of a run: forbidden access, or too few checked names. */
export function problems({ breaks, tables, named }: Findings): string[] {
  return [
    ...breaks.map(({ file, name, why }) => `apps/server/src/${file}: ${name} ${why}`),
    ...(tables < MIN_COUNTS.tables || named < MIN_COUNTS.named
      ? [`${tables} tables, named ${named} times, are too few to be believed`]
      : []),
  ]
}
