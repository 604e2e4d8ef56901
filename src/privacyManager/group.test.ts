import { expect, test } from 'vitest'
import { fromHex } from '../primitives/hex.ts'
import { fromBase64, toBase64 } from '../privacy/enclave/base64.ts'
import { groupIdOf } from '../privacy/enclave/groupId.ts'
import { decodeGroup, encodeGroup, idOfGroup } from './group.ts'
import { decodePartyInfo, encodePartyInfo, normaliseUrl } from './partyInfo.ts'

const [k1, k2, k3] = [
  'ePTF70Oo6NpJPpNNC3aL9DyDDUcwkYJE0ZvXcvqofSw=',
  'UkNh2d3Vnp2j7mV9A0N0Jw3Q5OMybrzj2xxklMG88i4=',
  'WDStTsDlHGcGEE51HI+qN+NONYi8W2rsceJEEC6M0Qk=',
].map((text) => fromBase64(text)!) as [Uint8Array, Uint8Array, Uint8Array]

test('group ids are those of Tessera', () => {
  const seed = Uint8Array.from({ length: 20 }, (_, i) => i)
  expect(toBase64(groupIdOf([k1]))).toBe('ScxJcDoh7ZQjnBJuLTrnGuxJGcv6QhVEQ6dRy4yiNrs=')
  expect(toBase64(groupIdOf([k2, k1, k2]))).toBe('8KWc9vuzF5vvU0gtBq1St+RkXbz775k/V3O+S/+zxPs=')
  expect(toBase64(groupIdOf([k3, k1, k2]))).toBe('z7fstT4wG1Cn8xsQBHIQOuPg2ETHDuk14m2imjA/Mqk=')
  expect(toBase64(groupIdOf([k1, k2], seed))).toBe('FFfMcuMP4oU4yWleIIj2MW3sYbBn9+1Gb0S3jfx4rLQ=')
})

test('a group that a Tessera pushed is read and written as it does', () => {
  const pushed =
    '0000000000000004776972650000000000000014612067726f757020666f7220746865207769726500000000000000020000000000000020f510068774da2babe9436c36b10f9f323752bf1d78b444e14d3ab699a10f976000000000000000205ec16dca5d998470f5f793429a9136a6ad1992254aea20abe3d0359fdb464e2400000000000000142494d44f31853e64b706c1b80f67a8061392b78b000000000000000850414e5448454f4e0000000000000006414354495645'
  const group = decodeGroup(fromHex(pushed))
  expect(group).toMatchObject({ name: 'wire', description: 'a group for the wire', type: 'PANTHEON', state: 'ACTIVE' })
  expect(toBase64(idOfGroup(group))).toBe('gu3i3T4s5xYgDEGnCk455LCSvGxB8DbZtAxh9zSBbns=')
  expect(encodeGroup(group)).toEqual(fromHex(pushed))
})

test('party info of a Tessera is read and written as it does', () => {
  const sent =
    '0000000000000017687474703a2f2f3132372e302e302e313a32333131372f000000000000000100000000000000205ec16dca5d998470f5f793429a9136a6ad1992254aea20abe3d0359fdb464e240000000000000017687474703a2f2f3132372e302e302e313a32333131372f00000000000000010000000000000017687474703a2f2f3132372e302e302e313a32333131372f'
  const info = decodePartyInfo(fromHex(sent))
  expect(info.url).toBe('http://127.0.0.1:23117/')
  expect(info.knownUrls).toEqual(['http://127.0.0.1:23117/'])
  expect(info.keys.map(({ key, url }) => [toBase64(key), url])).toEqual([
    ['XsFtyl2ZhHD195NCmpE2pq0ZkiVK6iCr49A1n9tGTiQ=', 'http://127.0.0.1:23117/'],
  ])
  expect(encodePartyInfo(info)).toEqual(fromHex(sent))
})

test('counts that promise more than there is are refused at once', () => {
  expect(() => decodePartyInfo(fromHex('00000000000000007fffffffffffffff'))).toThrow('a length is too large')
  expect(() => decodeGroup(fromHex('ffffffffffffffff'))).toThrow('a length is too large')
})

test('urls are compared in one form', () => {
  expect(normaliseUrl('http://a:1')).toBe('http://a:1/')
  expect(normaliseUrl('HTTP://A:1/')).toBe('http://a:1/')
  for (const wrong of ['', 'a:1', 'file:///etc/passwd', 'http://u:p@a:1/', 'http://a:1/?x=1'])
    expect(normaliseUrl(wrong)).toBe(undefined)
})
