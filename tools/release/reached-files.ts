/**
 * `node reached-files.ts FOLDER MODULE…`: prints as JSON the files below the folder that the modules import, or read by a path that
 * static analysis finds; paths are relative to the folder.
 */
import { readFileSync, statSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { nodeFileTrace } from '@vercel/nft'

const [base = '.', ...modules] = process.argv.slice(2)
const source = (file: string) => (file.endsWith('.ts') ? stripTypeScriptTypes(readFileSync(file, 'utf8')) : readFileSync(file))
const { fileList } = await nodeFileTrace(modules, {
  base,
  exportsOnly: true,
  readFile: (file) => Promise.resolve(statSync(file, { throwIfNoEntry: false })?.isFile() === true ? source(file) : null),
})
console.log(JSON.stringify([...fileList]))
