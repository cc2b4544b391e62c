/** An etcd cluster of three nodes, and registers in it, accessed by the JSON gateway over HTTP. */
import { join } from 'node:path';
import { freePort, newFolder, removeFolder, Server } from '../../../examples/08-redis-server/server.js';

const NODES = 3;
/** Milliseconds until a request fails: a paused node does not answer. */
const REQUEST_TIMEOUT = 1_000;

export class EtcdCluster {
  readonly servers: readonly Server[];
  readonly #folder: string;
  readonly #urls: readonly string[];

  static async start(): Promise<EtcdCluster> {
    const ports = await Promise.all(Array.from({ length: 2 * NODES }, freePort));
    const cluster = new EtcdCluster(ports.map((port) => `http://127.0.0.1:${port}`));
    // no node is ready before two have started
    await Promise.all(cluster.servers.map((server) => server.start()));
    return cluster;
  }

  private constructor(urls: readonly string[]) {
    this.#folder = newFolder();
    this.#urls = urls.slice(0, NODES);
    const peers = urls.slice(NODES);
    const all = peers.map((peer, node) => `node${node + 1}=${peer}`).join();
    this.servers = peers.map(
      (peer, node) =>
        new Server({
          name: `node ${node + 1}`,
          command: 'etcd',
          args: Object.entries({
            name: `node${node + 1}`,
            'data-dir': join(this.#folder, `${node}`),
            'listen-client-urls': this.#urls[node],
            'advertise-client-urls': this.#urls[node],
            'listen-peer-urls': peer,
            'initial-advertise-peer-urls': peer,
            'initial-cluster': all,
            'heartbeat-interval': '50',
            'election-timeout': '300',
          }).flatMap(([flag, value]) => [`--${flag}`, value]),
          ready: 'ready to serve client requests',
        }),
    );
  }

  /** With `serializable`, returns what this node knows, without asking the others. */
  async read(node: number, key: string, serializable: boolean): Promise<number | null> {
    const { kvs } = await this.#ask<{ kvs?: [{ value: string }] }>(node, 'range', { key, serializable });
    return kvs ? Number(atob(kvs[0].value)) : null;
  }

  async write(node: number, key: string, value: number): Promise<void> {
    await this.#ask(node, 'put', { key, value: btoa(`${value}`) });
  }

  /** A node that is not the leader: pausing it does not block writes. */
  async follower(): Promise<number> {
    const { header, leader } = await this.#call<{ header: { member_id: string }; leader: string }>(
      0,
      'maintenance/status',
      {},
    );
    return leader === header.member_id ? NODES - 1 : 0;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    removeFolder(this.#folder);
  }

  #ask<A>(
    node: number,
    what: string,
    { key, ...rest }: { key: string; [field: string]: unknown },
  ): Promise<A> {
    return this.#call(node, `kv/${what}`, { key: btoa(key), ...rest });
  }

  async #call<A>(node: number, what: string, request: object): Promise<A> {
    const answer = await fetch(`${this.#urls[node]}/v3/${what}`, {
      method: 'POST',
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    if (!answer.ok) throw new Error(`etcd answers ${answer.status}`);
    return (await answer.json()) as A;
  }
}
