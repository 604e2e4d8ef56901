import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tlsText } from '../../../test/support/tlsFixture.ts'
import { findDockerEndpoint, findServiceEndpoint, readKubernetesService } from './containerEndpoint.ts'

const names: Readonly<Record<string, string>> = { HOST_IP: '10.1.2.3', 'lb.example': '10.9.9.9' }
const lookUp = async (name: string) => names[name]

describe('Docker', () => {
  test('the address of HOST_IP and the port that the host forwards', async () => {
    const found = await findDockerEndpoint(30303, { HOST_PORT_30303: '40404' }, lookUp)
    expect(found).toEqual({ ip: '10.1.2.3', tcpPort: 40404, udpPort: 40404 })
  })

  test('without a variable the port is the own one', async () => {
    expect(await findDockerEndpoint(30303, {}, lookUp)).toEqual({
      ip: '10.1.2.3',
      tcpPort: undefined,
      udpPort: undefined,
    })
  })

  test.each([
    ['no HOST_IP', {}, async () => undefined, /--add-host=HOST_IP/],
    ['no port', { HOST_PORT_30303: 'x' }, lookUp, /HOST_PORT_30303 is not a port: 'x'/],
  ])('%s', async (_, env, find, message) => {
    await expect(findDockerEndpoint(30303, env, find)).rejects.toThrow(message)
  })
})

describe('Kubernetes', () => {
  const ports = [
    { port: 31303, protocol: 'TCP', targetPort: 30303 },
    { port: 31304, protocol: 'UDP', targetPort: 30303 },
    { port: 8545, protocol: 'TCP', targetPort: 8545 },
  ]

  test('a load balancer by address, with its ports', async () => {
    const service = {
      spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1', ports },
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.5' }] } },
    }
    expect(await findServiceEndpoint(service, 30303, lookUp)).toEqual({
      ip: '203.0.113.5',
      tcpPort: 31303,
      udpPort: 31304,
    })
  })

  test('a load balancer by name', async () => {
    const service = {
      spec: { type: 'LoadBalancer' },
      status: { loadBalancer: { ingress: [{ hostname: 'lb.example' }] } },
    }
    expect((await findServiceEndpoint(service, 30303, lookUp)).ip).toBe('10.9.9.9')
  })

  test('an address in the cluster', async () => {
    const service = { spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', ports: [{ port: 30303 }] } }
    expect(await findServiceEndpoint(service, 30303, lookUp)).toEqual({
      ip: '10.0.0.1',
      tcpPort: 30303,
      udpPort: undefined,
    })
  })

  test('a load balancer that has no address yet', async () => {
    await expect(findServiceEndpoint({ spec: { type: 'LoadBalancer' } }, 30303, lookUp)).rejects.toThrow(
      /no address yet/,
    )
  })
})

describe("Kubernetes' API", () => {
  const service = { spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', ports: [{ port: 30303 }] } }
  const folder = mkdtempSync(join(tmpdir(), 'quoin-pod-'))
  const asked: (string | undefined)[][] = []
  const api = createServer({ cert: tlsText('server.crt'), key: tlsText('server.key') }, (request, response) => {
    asked.push([request.method, request.url, request.headers.authorization])
    response.statusCode = request.url?.endsWith('/besu') ? 200 : 403
    response.end(JSON.stringify(service))
  })
  let env: Record<string, string>

  beforeAll(async () => {
    const account = { namespace: 'chain\n', token: 'secret\n', 'ca.crt': tlsText('server.crt') }
    for (const [name, text] of Object.entries(account)) writeFileSync(join(folder, name), text)
    await once(api.listen(0, '127.0.0.1'), 'listening')
    const { port } = api.address() as AddressInfo
    env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) }
  })
  afterAll(() => {
    api.closeAllConnections()
    api.close()
    rmSync(folder, { recursive: true })
  })

  test('is asked for the service as the account of the pod', async () => {
    const found = await readKubernetesService('besu', env, folder)
    expect(asked).toEqual([['GET', '/api/v1/namespaces/chain/services/besu', 'Bearer secret']])
    expect((await findServiceEndpoint(found, 30303, lookUp)).ip).toBe('10.0.0.1')
  })

  test('refuses an account without the right', async () => {
    const read = readKubernetesService('other', env, folder)
    await expect(read).rejects.toThrow("Kubernetes answers 403 for the service 'other'")
  })

  test('has to have a certificate of the pod', async () => {
    writeFileSync(join(folder, 'ca.crt'), tlsText('client.crt'))
    await expect(readKubernetesService('besu', env, folder)).rejects.toThrow(/certificate/)
  })

  test('is not there outside of a pod', async () => {
    await expect(readKubernetesService('besu', {}, folder)).rejects.toThrow('this is not a pod of Kubernetes')
  })
})
