import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { afterAll, describe, expect, test } from 'vitest'
import { toHex } from '../primitives/hex.ts'
import { decryptKeystore } from './keystore.ts'
import { readKeystores } from './readKeystores.ts'

// The test vectors of the Web3 Secret Storage Definition.
const secret = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const password = 'testpassword'
const pbkdf2File = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
// Its r is 1, which OpenSSL does not take.
const scryptFile = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      r: 1,
      p: 8,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
// What wallets write today, made by ethers.
const walletFile = await new Wallet(secret).encrypt(password)
// geth wrote keys without their leading zeros once; its own test vector.
const shortFile = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: 'e0c41130a323adc1446fc82f724bca2f' },
    ciphertext: '9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 2,
      r: 8,
      p: 1,
      salt: '711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63',
    },
    mac: 'd5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5',
  },
  id: 'fecfc4ce-e956-48fd-953b-30f8b52ed66c',
  version: 3,
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('decryptKeystore', () => {
  test.each([
    ['pbkdf2', pbkdf2File],
    ['scrypt', scryptFile],
    ['scrypt as wallets use it', JSON.parse(walletFile)],
    ['a file that names its address', { ...pbkdf2File, address: '008aeeda4d805471df9b2a5b0f38a0c3bcba786b' }],
    ['Crypto with a capital', { version: 3, Crypto: pbkdf2File.crypto }],
  ])('%s', async (_, file) => {
    expect(toHex(await decryptKeystore(JSON.stringify(file), bytesOf(password), 'k'))).toBe(secret)
  })

  test('a key without its leading zero', async () => {
    const key = await decryptKeystore(JSON.stringify(shortFile), bytesOf('foo'), 'k')
    expect(toHex(key)).toBe('0x00fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35')
  })

  test('a wrong password is told, and not shown', async () => {
    const attempt = decryptKeystore(JSON.stringify(pbkdf2File), bytesOf('opensesame'), 'k')
    await expect(attempt).rejects.toThrow('k: the password is wrong')
    await expect(attempt).rejects.not.toThrow(/opensesame/)
  })

  const crypto = pbkdf2File.crypto
  test.each([
    ['not JSON', '{', 'it is not JSON'],
    ['another JSON', 'null', 'its version is not 3'],
    ['version 1', { ...pbkdf2File, version: 1 }, 'its version is not 3'],
    ['another cipher', { version: 3, crypto: { ...crypto, cipher: 'aes-128-cbc' } }, 'cipher is not aes-128-ctr'],
    ['another kdf', { version: 3, crypto: { ...crypto, kdf: 'argon2' } }, 'kdf is neither scrypt nor pbkdf2'],
    ['no salt', { version: 3, crypto: { ...crypto, kdfparams: { c: 1, dklen: 32 } } }, 'salt is not hex'],
    [
      'scrypt that takes all memory',
      {
        version: 3,
        crypto: { ...crypto, kdf: 'scrypt', kdfparams: { dklen: 32, n: 2 ** 30, r: 8, p: 1, salt: '00' } },
      },
      'scrypt would need more than 1 GiB',
    ],
    ['the address of another key', { ...pbkdf2File, address: '00'.repeat(20) }, 'not of its address'],
  ])('%s is refused', async (_, file, reason) => {
    const text = typeof file === 'string' ? file : JSON.stringify(file)
    await expect(decryptKeystore(text, bytesOf(password), 'k')).rejects.toThrow(reason)
  })
})

describe('readKeystores', () => {
  const dir = mkdtempSync(join(tmpdir(), 'quoin-keys-'))
  afterAll(() => rmSync(dir, { recursive: true }))
  const write = (name: string, content: string) => {
    writeFileSync(join(dir, name), content)
    return join(dir, name)
  }

  test('a directory, in order, with own passwords first', async () => {
    const shared = write('shared.txt', `${password}\r\n`)
    write('b.json', JSON.stringify(pbkdf2File))
    write('UTC--2016--a', JSON.stringify(shortFile))
    write('UTC--2016--a.password', 'foo\n')
    write('notes.txt', 'not a key')
    const keys = await readKeystores(dir, shared)
    expect(keys.map((key) => toHex(key).slice(0, 6))).toEqual(['0x00fa', '0x7a28'])
    await expect(readKeystores(dir, undefined)).rejects.toThrow(/b\.json: no password/)
    await expect(readKeystores(dir, join(dir, 'none'))).rejects.toThrow(/none: the password file cannot be read/)
  })

  test('a file of any name', async () => {
    const file = write('key', JSON.stringify(shortFile))
    expect(await readKeystores(file, write('password', 'foo'))).toHaveLength(1)
  })

  test('nothing to read', async () => {
    await expect(readKeystores(join(dir, 'absent'), undefined)).rejects.toThrow(/absent: .* cannot be read/)
    const empty = mkdtempSync(join(dir, 'empty-'))
    await expect(readKeystores(empty, undefined)).rejects.toThrow(/no keystore files/)
  })
})
