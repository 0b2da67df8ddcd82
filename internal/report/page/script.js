(function () {
  "use strict";
  function reveal() {
    var target = document.getElementById(location.hash.slice(1));
    for (var e = target; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") { e.open = true; }
    }
    if (target) { target.scrollIntoView(); }
  }
  addEventListener("hashchange", reveal);
  if (location.hash) { reveal(); }
  addEventListener("beforeprint", function () {
    document.querySelectorAll("details.task").forEach(function (d) { d.open = true; });
  });
  var box = document.querySelector(".filter"), find = document.getElementById("find"), found = document.getElementById("found");
  var items = Array.prototype.slice.call(document.querySelectorAll(".find"));
  if (!box || !items.length) { return; }
  var texts = items.map(function (e) { return e.textContent.toLowerCase(); });
  box.hidden = false;
  find.addEventListener("input", function () {
    var words = find.value.toLowerCase().split(/\s+/).filter(Boolean), rows = 0;
    items.forEach(function (e, i) {
      var hit = words.every(function (w) { return texts[i].indexOf(w) >= 0; });
      e.hidden = !hit;
      if (hit && e.tagName === "TR") { rows++; }
    });
    found.textContent = words.length ? rows + " found" : "";
  });
})();
