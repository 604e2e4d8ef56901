/** Classes of objects, kinds of keys, attributes, mechanisms and flags of PKCS#11 2.40. */
export const cko = { privateKey: 3, secretKey: 4 } as const
export const ckk = { ec: 3, genericSecret: 0x10, aes: 0x1f } as const
export const cka = {
  class: 0x0,
  token: 0x1,
  label: 0x3,
  value: 0x11,
  keyType: 0x100,
  sensitive: 0x103,
  encrypt: 0x104,
  decrypt: 0x105,
  wrap: 0x106,
  valueLength: 0x161,
  extractable: 0x162,
} as const
export const ckm = { ecdsa: 0x1041, ecdh: 0x1050, aesKeyGeneration: 0x1080, aesCbc: 0x1082 } as const
export const ckf = {
  loginRequired: 0x4,
  protectedAuthenticationPath: 0x100,
  tokenInitialized: 0x400,
  rwSession: 0x2,
  serialSession: 0x4,
} as const
export const cku = { user: 1 } as const
