import { equalBytes } from '../../primitives/bytes.ts'
import { EnclaveError } from '../../privacy/enclave/enclave.ts'
import { decodeGroup, idOfGroup } from '../group.ts'
import type { KeyPair } from '../keys.ts'
import { openManagerStore } from '../managerStore.ts'
import { decodePayload, type SealedPayload } from '../payload.ts'
import { decodePayloadCbor } from '../payloadCbor.ts'
import { createSealing, hashPayload, type Sealing } from '../sealing.ts'
import { TesseraError } from './fault.ts'
import { type ExportedRow, groupTable, payloadTable, readExport } from './readExport.ts'

/** How much was taken over; `foreign` are payloads that none of the keys opens. */
export interface ImportCount {
  readonly payloads: number
  readonly groups: number
  readonly foreign: number
}

/** Adds the payloads and groups of a Tessera's exported database to the store of a manager; what is there stays. */
export async function importExport(path: string, store: string, keys: readonly KeyPair[]): Promise<ImportCount> {
  const target = openManagerStore(store)
  const sealing = createSealing(keys)
  const count = { payloads: 0, groups: 0, foreign: 0 }

  async function addPayload(row: ExportedRow): Promise<void> {
    const payload = payloadIn(row)
    if (!opens(sealing, payload)) {
      count.foreign++
      return
    }
    const hash = hashPayload(payload)
    await target.write((writer) => writer.payload(hash) ?? writer.putPayload(hash, payload))
    count.payloads++
  }

  async function addGroup(row: ExportedRow): Promise<void> {
    const group = decodeGroup(bytesOf(row, 'DATA'))
    if (!equalBytes(idOfGroup(group), bytesOf(row, 'ID'))) throw new RangeError('the id is not that of the group')
    await target.write((writer) => writer.group(idOfGroup(group)) ?? writer.putGroup(group))
    count.groups++
  }

  try {
    for await (const row of readExport(path)) {
      try {
        if (row.table === payloadTable) await addPayload(row)
        if (row.table === groupTable) await addGroup(row)
      } catch (error) {
        throw new TesseraError({ code: 'EXPORT_INVALID', path, line: row.line, reason: reasonOf(error) }, error)
      }
    }
    return count
  } finally {
    await target.close()
  }
}

function payloadIn(row: ExportedRow): SealedPayload {
  const bytes = bytesOf(row, 'ENCODED_PAYLOAD')
  const payload = row.values.get('PAYLOAD_CODEC') === 'CBOR' ? decodePayloadCbor(bytes) : decodePayload(bytes)
  // Besu's transactions have a group and a key of 32 bytes, those of others do not.
  if (payload.privacyGroupId.length === 0 || !equalBytes(hashPayload(payload), bytesOf(row, 'HASH')))
    throw new RangeError('the payload was not made in Orion mode')
  return payload
}

function opens(sealing: Sealing, payload: SealedPayload): boolean {
  return payload.boxes.some((_, at) => sealing.open(payload, at) !== undefined)
}

function bytesOf({ values }: ExportedRow, name: string): Uint8Array {
  const value = values.get(name)
  if (!(value instanceof Uint8Array)) throw new RangeError(`${name} is missing`)
  return value
}

function reasonOf(error: unknown): string {
  if (error instanceof EnclaveError) return error.at.text
  return error instanceof Error ? error.message : String(error)
}
