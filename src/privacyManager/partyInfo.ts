import { concatBytes } from '../primitives/bytes.ts'
import { countField, createFieldReader, field, textField } from './byteFields.ts'

/** What a manager announces about itself: where it is, its keys, and whom it knows. */
export interface PartyInfo {
  readonly url: string
  readonly keys: readonly { readonly key: Uint8Array; readonly url: string }[]
  readonly knownUrls: readonly string[]
}

export function encodePartyInfo({ url, keys, knownUrls }: PartyInfo): Uint8Array {
  return concatBytes(
    textField(url),
    countField(keys.length),
    ...keys.flatMap((entry) => [field(entry.key), textField(entry.url)]),
    countField(knownUrls.length),
    ...knownUrls.map(textField),
  )
}

export function decodePartyInfo(bytes: Uint8Array): PartyInfo {
  const reader = createFieldReader(bytes)
  const url = reader.text()
  const keys = Array.from({ length: reader.count() }, () => ({ key: reader.field(), url: reader.text() }))
  const knownUrls = Array.from({ length: reader.count() }, () => reader.text())
  return { url, keys, knownUrls }
}

/** The form in which urls are compared: with a slash at the end; undefined if it is not one that can be called. */
export function normaliseUrl(text: string): string | undefined {
  if (text.length > 2000 || !URL.canParse(text)) return undefined
  const { protocol, username, password, href, search, hash } = new URL(text)
  if ((protocol !== 'http:' && protocol !== 'https:') || username || password || search || hash) return undefined
  return href.endsWith('/') ? href : `${href}/`
}
