import { describe, expect, test } from 'vitest'
import { findDockerEndpoint, findServiceEndpoint } from './containerEndpoint.ts'

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
