import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { histories } from '../../apps/server/src/main/histories.ts'
import { type CountedTable, countedTables, countingSql } from '../../apps/server/src/modules/members/count-rows.ts'

/** A room of the server, and its SQL files, if it has any, in the order in which it is applied. */
export interface Room {
  /** The folder below apps/server/src. */
  folder: string
  /** 0 for the lowest; rooms of one tier are siblings. */
  tier: number
  files: { name: string; text: string }[]
}

const SERVER = fileURLToPath(new URL('../../apps/server/src/', import.meta.url))
/** Functions come first, as columns, checks and triggers call them; what they name themselves is looked at when all is there. */
const FILES = ['functions.sql', 'schema.sql', 'views.sql']

/** All rooms, the lowest tier first: the tiers are those of the import rules. */
export function readRooms(): Room[] {
  const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { tiers: string[][] }
  const tiers = [
    ['platform'],
    ['ledger'],
    ['http', 'jobs', ...readdirSync(path.join(SERVER, 'gateways')).map((name) => `gateways/${name}`)],
    ...rules.tiers.map((names) => names.map((name) => `modules/${name}`)),
    ['main', 'diagnostics'],
  ]
  const rooms = tiers.flatMap((folders, tier) => folders.map((folder) => ({ folder, tier, files: readFiles(folder) })))
  const known = new Set(rooms.flatMap(({ folder, files }) => files.map(({ name }) => path.join(folder, name))))
  for (const file of readdirSync(SERVER, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.sql') && !known.has(file)) throw new Error(`${file} belongs to no room: a room has ${FILES.join(', ')}`)
  for (const counted of countedTables(histories)) addCounting(rooms, counted)
  return rooms
}

/** The triggers that keep a list's figures belong to the room that owns its table, and follow from its `history.ts`. */
function addCounting(rooms: Room[], counted: CountedTable): void {
  const files = rooms.flatMap((room) => room.files.map((file) => ({ room, file })))
  const owner = files.find(({ file }) => new RegExp(`^create table ${counted.table} \\(`, 'm').test(file.text))
  if (owner === undefined) throw new Error(`no room has the table ${counted.table}`)
  const { functions, triggers } = countingSql(counted)
  const first = owner.room.files.find(({ name }) => name === 'functions.sql')
  if (first === undefined) owner.room.files.unshift({ name: 'functions.sql', text: functions })
  else first.text += `\n${functions}`
  owner.file.text += `\n${triggers}`
}

function readFiles(folder: string): Room['files'] {
  return FILES.map((name) => path.join(SERVER, folder, name))
    .filter((file) => existsSync(file))
    .map((file) => ({ name: path.basename(file), text: readFileSync(file, 'utf8') }))
}
