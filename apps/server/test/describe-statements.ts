import type { Connection, FieldDef, Pool, PoolClient, Submittable } from 'pg'

/** An engine's description of a statement: parameter and column types by name, or the SQLSTATE of its error. */
export type Description = { parameters: string[]; columns: string[] } | { refused: string; message: string }

/** Statement text with an engine's description. */
export interface DescribedStatement {
  text: string
  described: Description
}

/** Sends messages of the extended query protocol, and collects the server's messages up to the Sync. */
class Exchange implements Submittable {
  readonly answer: Promise<{ parameters: number[]; columns: FieldDef[] }>
  readonly #write: (connection: Connection) => void
  readonly #got = { parameters: [] as number[], columns: [] as FieldDef[] }
  readonly #resolvers = Promise.withResolvers<{ parameters: number[]; columns: FieldDef[] }>()
  #leave = () => undefined as unknown

  constructor(write: (connection: Connection) => void) {
    this.#write = write
    this.answer = this.#resolvers.promise
  }

  submit(connection: Connection): void {
    const hear = ({ dataTypeIDs }: { dataTypeIDs: number[] }) => (this.#got.parameters = dataTypeIDs)
    connection.on('parameterDescription', hear)
    this.#leave = () => connection.off('parameterDescription', hear)
    this.#write(connection)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#got.columns = fields
  }

  handleError(error: Error): void {
    this.#leave()
    this.#resolvers.reject(error)
  }

  handleReadyForQuery(): void {
    this.#leave()
    this.#resolvers.resolve(this.#got)
  }
}

/** Returns a database's type names by oid. Oids differ between databases. */
async function readTypeNames(client: PoolClient): Promise<Map<number, string>> {
  const { rows } = await client.query<{ oid: number; name: string }>('select oid::int4 as oid, format_type(oid, null) as name from pg_type')
  return new Map(rows.map(({ oid, name }) => [oid, name]))
}

/** Describes statements without running them: the server parses each, resolves all types, and plans it for any values. */
export async function describeAll(pool: Pool, texts: readonly string[]): Promise<DescribedStatement[]> {
  const client = await pool.connect()
  try {
    // Forces a generic plan. Otherwise the server plans for nulls, whose result the planner knows.
    await client.query('set plan_cache_mode = force_generic_plan')
    const names = await readTypeNames(client)
    const found: DescribedStatement[] = []
    for (const text of texts) found.push({ text, described: await describe(client, names, text) })
    return found
  } finally {
    client.release(true)
  }
}

async function describe(client: PoolClient, names: ReadonlyMap<number, string>, text: string): Promise<Description> {
  const nameOf = (oid: number) => names.get(oid) ?? `type ${oid}`
  const count = Math.max(0, ...text.matchAll(/\$(\d+)/g).map(([, number]) => Number(number)))
  const exchange = new Exchange((connection) => {
    connection.parse({ name: '', text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.bind({ values: Array.from({ length: count }, () => null) }, true)
  })
  try {
    const { parameters, columns } = await client.query(exchange).answer
    return { parameters: parameters.map(nameOf), columns: columns.map(({ name, dataTypeID }) => `${name} ${nameOf(dataTypeID)}`) }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { refused: String(error.code), message: error.message }
  }
}
