import { constants, crc32, deflateRawSync } from 'node:zlib'

/**
 * A ZIP archive (PKWARE APPNOTE 6.3) that is written part by part. The state is JSON, so that a job can continue it after a restart;
 * ZIP libraries keep their state in memory.
 */
export interface ZipState {
  /** Bytes written so far. */
  offset: number
  entries: ZipEntry[]
}

interface ZipEntry {
  name: string
  crc: number
  size: number
  packed: number
  offset: number
}

export const EMPTY_ZIP: ZipState = { offset: 0, entries: [] }
/** Maximum number of entries without the format's 64-bit extension. */
const MAX_ENTRIES = 65_535
/** Names are UTF-8 (bit 11); sizes follow the data (bit 3). */
const FLAGS = 0x0808
const DEFLATE = 8
/** Version 2.0: deflate. */
const VERSION = 20
/** 1980-01-01, the earliest date of the format. The rows have their own times. */
const DOS_DATE = 0x21
/** An empty final block, which ends a stream of parts that were flushed to a byte boundary. */
const END_OF_STREAM = Buffer.from([0x03, 0x00])

/** Starts an entry. The caller must end the entry with {@link endEntry} before the next one. */
export function beginEntry(zip: ZipState, name: string): { zip: ZipState; bytes: Buffer } {
  if (zip.entries.length >= MAX_ENTRIES) throw new Error('too many files for one ZIP archive')
  const encoded = Buffer.from(name, 'utf8')
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATE, 8)
  header.writeUInt16LE(DOS_DATE, 12)
  header.writeUInt16LE(encoded.length, 26)
  const bytes = Buffer.concat([header, encoded])
  const entry = { name, crc: 0, size: 0, packed: 0, offset: zip.offset }
  return { zip: { offset: zip.offset + bytes.length, entries: [...zip.entries, entry] }, bytes }
}

/** Adds data to the last entry. Each part is compressed and flushed separately, so that different processes can write the parts. */
export function addToEntry(zip: ZipState, data: Uint8Array): { zip: ZipState; bytes: Buffer } {
  // Ends at a byte boundary, without the final block.
  const bytes = deflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH })
  const entry = lastOf(zip)
  const changed = {
    ...entry,
    crc: crc32(data, entry.crc),
    size: entry.size + data.length,
    packed: entry.packed + bytes.length,
  }
  return { zip: { offset: zip.offset + bytes.length, entries: [...zip.entries.slice(0, -1), changed] }, bytes }
}

/** Ends the last entry with its checksum and sizes. */
export function endEntry(zip: ZipState): { zip: ZipState; bytes: Buffer } {
  const entry = { ...lastOf(zip) }
  entry.packed += END_OF_STREAM.length
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(entry.crc, 4)
  descriptor.writeUInt32LE(entry.packed, 8)
  descriptor.writeUInt32LE(entry.size, 12)
  const bytes = Buffer.concat([END_OF_STREAM, descriptor])
  return { zip: { offset: zip.offset + bytes.length, entries: [...zip.entries.slice(0, -1), entry] }, bytes }
}

/** Returns the directory that ends the archive. */
export function endZip(zip: ZipState): Buffer {
  const directory = Buffer.concat(zip.entries.map(directoryLine))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(zip.entries.length, 8)
  end.writeUInt16LE(zip.entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(zip.offset, 16)
  return Buffer.concat([directory, end])
}

function directoryLine({ name, crc, size, packed, offset }: ZipEntry): Buffer {
  const encoded = Buffer.from(name, 'utf8')
  const line = Buffer.alloc(46)
  line.writeUInt32LE(0x02014b50, 0)
  line.writeUInt16LE(VERSION, 4)
  line.writeUInt16LE(VERSION, 6)
  line.writeUInt16LE(FLAGS, 8)
  line.writeUInt16LE(DEFLATE, 10)
  line.writeUInt16LE(DOS_DATE, 14)
  line.writeUInt32LE(crc, 16)
  line.writeUInt32LE(packed, 20)
  line.writeUInt32LE(size, 24)
  line.writeUInt16LE(encoded.length, 28)
  line.writeUInt32LE(offset, 42)
  return Buffer.concat([line, encoded])
}

function lastOf(zip: ZipState): ZipEntry {
  const entry = zip.entries.at(-1)
  if (entry === undefined) throw new Error('the archive has no entry')
  return entry
}
