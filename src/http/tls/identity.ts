import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { TlsError } from './fault.ts'

/** The files that hold the certificate and the key of a server. */
export type IdentityFiles =
  | { readonly kind: 'PKCS12'; readonly keystore: string; readonly password: string }
  | { readonly kind: 'PEM'; readonly certificate: string; readonly key: string }

/** The names of the files of an identity. */
export function filesOf(files: IdentityFiles): string[] {
  return files.kind === 'PKCS12' ? [files.keystore, files.password] : [files.certificate, files.key]
}

/** Reads the certificate and the key of a server; throws a `TlsError` unless they can be used together. */
export function readIdentity(files: IdentityFiles): SecureContextOptions {
  const identity =
    files.kind === 'PKCS12'
      ? { pfx: readTlsFile(files.keystore), passphrase: firstLine(readTlsFile(files.password)) }
      : { cert: readTlsFile(files.certificate), key: readTlsFile(files.key) }
  check(filesOf(files)[0]!, () => createSecureContext(identity))
  return identity
}

/** Reads a PEM file of CAs. */
export function readCaFile(path: string): Buffer {
  const bytes = readTlsFile(path)
  check(path, () => new X509Certificate(bytes))
  return bytes
}

function check(path: string, use: () => unknown): void {
  try {
    use()
  } catch (error) {
    throw new TlsError({ code: 'TLS_FILE', path, reason: (error as Error).message }, error)
  }
}

/** Reads a file that must not be empty: Node's TLS would go on without what is in it. */
function readTlsFile(path: string): Buffer {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new TlsError(
      { code: 'TLS_FILE', path, reason: (error as NodeJS.ErrnoException).code ?? String(error) },
      error,
    )
  }
  if (bytes.length === 0) throw new TlsError({ code: 'TLS_FILE', path, reason: 'the file is empty' })
  return bytes
}

function firstLine(bytes: Buffer): string {
  return bytes.toString().split(/\r?\n/, 1)[0]!
}
