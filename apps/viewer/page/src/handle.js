// The soft handle on the screen: where a body is held, where the pointer is, and a line between them. Drawn in every view.

import * as THREE from "three";

export class Handle {
  constructor() {
    this.group = new THREE.Group();
    this.line = new THREE.Line(new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3)),
      new THREE.LineBasicMaterial({ color: 0x20242c, depthTest: false, transparent: true, opacity: 0.75 }));
    const ball = (colour) => new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12),
      new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.9 }));
    this.held = ball(0xffffff);
    this.target = ball(0xf2994a);
    for (const part of [this.line, this.held, this.target]) {
      part.frustumCulled = false;
      part.renderOrder = 10;
      this.group.add(part);
    }
    this.group.visible = false;
  }

  /** @param {function(number): ?THREE.Vector3} heldIn  the held point in a view */
  show(heldIn, target, size) {
    this.heldIn = heldIn;
    this.at = target.clone();
    this.size = size;
    this.group.visible = true;
  }

  hide() {
    this.group.visible = false;
    this.heldIn = null;
  }

  attach(scene, view) {
    scene.add(this.group);
    const held = this.heldIn?.(view);
    if (!held) return;
    this.held.position.copy(held);
    this.target.position.copy(this.at);
    this.held.scale.setScalar(this.size);
    this.target.scale.setScalar(0.8 * this.size);
    const { position } = this.line.geometry.attributes;
    position.setXYZ(0, held.x, held.y, held.z);
    position.setXYZ(1, this.at.x, this.at.y, this.at.z);
    position.needsUpdate = true;
  }
}
