/** `node strip-types.ts MODULE…`: makes JavaScript of modules, in their place. */
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

for (const file of process.argv.slice(2)) writeFileSync(file, stripTypeScriptTypes(readFileSync(file, 'utf8')))
