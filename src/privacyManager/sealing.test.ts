import { expect, test } from 'vitest'
import { fromHex, toHex } from '../primitives/hex.ts'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import { keyPairOf } from './keys.ts'
import { decodePayload, encodePayload, type SealedPayload } from './payload.ts'
import { decodePayloadCbor, encodePayloadCbor } from './payloadCbor.ts'
import { createSealing, hashPayload } from './sealing.ts'

// What a Tessera 24.4.2 pushed; the keys are published test keys.
const alice = keyPairOf(fromBase64('9JOQhdCCKndiRczJ/d/vgVeIX+61K8tQZ9eFicEZWps=')!)
const bob = keyPairOf(fromBase64('Vq2hzn21w+6FaaKnuS/NgdDafQGRCATtUEU5ds681Ts=')!)
const carol = keyPairOf(fromBase64('06Lu5HzxPmEFzk7/TB/P+8iwBhN/VLn51cadINpgu7o=')!)
const pushed =
  'ab6673656e6465725820f510068774da2babe9436c36b10f9f323752bf1d78b444e14d3ab699a10f97606a63697068657254657874590110cad8ef0cbdbcb78430a4061cf44d081a3f418a2cac4ae771d2672bc66e030eac925d6579c9d1d945aa8ae4400b82a6c2a3d6ccb321910c3ed539542fcfc71a7da2b955d09b7c77c911fed02f433c0887cbd6853242fd087aaae140637ad885114c526d58c8a38e49009f6a542cc96b5afd0d7de3d284cc35f74ba2ff1e00d406fec2495d843c42df1568c4b500f9cf4030082f8f3c8bad35169986e9603136c3733c05865589cd88fef944e3f8d3227d2fc93ac6ae6c4b395cc72f4f23568ba0c3ea8100c18cd50bf10d7b2d9d814fb6d6d25cac07295aabc2bb246b2ef670005ab16d9a8a707c2fe20ee04772e84b560ab9f792b96d9b499f063b6dd03e46c028ee0592e28c40485cf712fa131c571e656e6f6e6365581849a66ff8364846135992c663f563ece177c92a36a120f34d6e726563697069656e744e6f6e636558187c0fb3d8b7160da7277c4147c50b2ab00cc072d475f6ed6f6e726563697069656e74426f78657381583014bcc8d2997e403a5db4d49ca1b23a332f2575f6762305e0f18e4ecb2499ec6ec3e9479504c3794fa79c9b92056cb22c6a726563697069656e74738158205ec16dca5d998470f5f793429a9136a6ad1992254aea20abe3d0359fdb464e246b70726976616379466c616700686166666563746564a0686578656348617368406c6d616e6461746f7279466f72806e7072697661637947726f757049645820b209c868902433e4c94c5997ddd63c6046682a73cbc75d30e3b4331f10338ffc'

const bytes = fromHex(pushed)
const payload = decodePayloadCbor(bytes)

test('keys have the public halves that Tessera says', () => {
  expect(alice.name).toBe('9RAGh3TaK6vpQ2w2sQ+fMjdSvx14tEThTTq2maEPl2A=')
  expect(bob.name).toBe('XsFtyl2ZhHD195NCmpE2pq0ZkiVK6iCr49A1n9tGTiQ=')
})

test('a payload of a Tessera is read, written and hashed as it does', () => {
  expect(toHex(encodePayloadCbor(payload))).toBe(toHex(bytes))
  expect(toBase64(hashPayload(payload))).toBe('iOGSO/4H8LzD1WzGFfN3huwGKZqOokW3YEbauY8pYM4=')
  expect(toBase64(payload.privacyGroupId)).toBe('sgnIaJAkM+TJTFmX3dY8YEZoKnPLx10w47QzHxAzj/w=')
  expect(decodePayload(encodePayload(payload))).toEqual(payload)
})

test('a payload of a Tessera opens by the key of the recipient and of the sender only', () => {
  const text = (opened: Uint8Array | undefined) => opened && new TextDecoder().decode(opened).slice(0, 24)
  expect(text(createSealing([bob]).open(payload, 0))).toBe('+L6AgIMtxsCAgACCCpWg2Zdz')
  expect(text(createSealing([alice]).open(payload, 0))).toBe('+L6AgIMtxsCAgACCCpWg2Zdz')
  expect(createSealing([carol]).open(payload, 0)).toBe(undefined)
  expect(createSealing([bob, carol]).open(payload, 0, carol.publicKey)).toBe(undefined)
})

test('what is sealed here opens at each recipient, and nobody else', () => {
  const message = new TextEncoder().encode('hello')
  const sealed = createSealing([alice]).seal(message, alice, [alice.publicKey, bob.publicKey], new Uint8Array(32))
  expect(createSealing([bob]).open(sealed, 1)).toEqual(message)
  expect(createSealing([bob]).open(sealed, 0)).toBe(undefined)
  expect(createSealing([alice]).open(sealed, 0)).toEqual(message)
  expect(createSealing([carol]).open(sealed, 0) ?? createSealing([carol]).open(sealed, 1)).toBe(undefined)
})

test('a payload in which one bit of a sealed part is changed does not open', () => {
  const flip = (part: Uint8Array) => part.map((byte, i) => (i === 7 ? byte ^ 1 : byte))
  const tampered: readonly SealedPayload[] = [
    { ...payload, cipherText: flip(payload.cipherText) },
    { ...payload, nonce: flip(payload.nonce) },
    { ...payload, recipientNonce: flip(payload.recipientNonce) },
    { ...payload, boxes: payload.boxes.map(flip) },
    { ...payload, sender: carol.publicKey },
  ]
  for (const each of tampered) expect(createSealing([bob]).open(each, 0)).toBe(undefined)
})

test('a payload that is cut short is refused, wherever', () => {
  const legacy = encodePayload(payload)
  for (let length = 0; length < bytes.length; length += 13)
    expect(() => decodePayloadCbor(bytes.subarray(0, length))).toThrow('Invalid payload data')
  for (let length = 0; length < legacy.length - 90; length += 13)
    expect(() => decodePayload(legacy.subarray(0, length))).toThrow('Invalid payload data')
})

test('a body of millions of parts, or levels, is not read to its end', () => {
  const parts = new Uint8Array(1 << 20).fill(0x00)
  parts[0] = 0x9f
  expect(() => decodePayloadCbor(parts)).toThrow('too many parts')
  expect(() => decodePayloadCbor(new Uint8Array(1 << 20).fill(0x81))).toThrow('Invalid payload data')
})
